/*
 * Endmill: endgame databases of English draughts (checkers) behind an interface in the style of the
 * well-known drivers, for engines that already support one. endmill.h has more: distances, best
 * moves, lines, and errors with a reason.
 *
 * Threads.  Any number of threads may use a driver at once. endmill_egdb_close() must be the last
 *           call with it.
 * Captures. Positions with a capture for either side need no search before a look-up: they are
 *           resolved by their moves.
 *
 * docs/c.md is the guide.
 */
#ifndef ENDMILL_EGDB_H
#define ENDMILL_EGDB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results of a look-up, for the side to move. */
#define ENDMILL_EGDB_UNAVAILABLE (-2) /* a table is missing, or none has as many pieces */
#define ENDMILL_EGDB_NOT_CACHED (-1)  /* a conditional look-up that needs a read or a decode */
#define ENDMILL_EGDB_UNKNOWN 0        /* an illegal position, or a damaged file (see the message) */
#define ENDMILL_EGDB_WIN 1
#define ENDMILL_EGDB_LOSS 2
#define ENDMILL_EGDB_DRAW 3

/* The side to move. Black starts on squares 1 to 12 and moves towards higher squares. */
#define ENDMILL_EGDB_BLACK 0
#define ENDMILL_EGDB_WHITE 1

/*
 * The order of the squares in a bitboard.
 *   normal        bit 0 is square 1, bit 1 is square 2, ... bit 31 is square 32
 *   row reversed  every row of four reversed: bit 3 is square 1, bit 2 is square 2,
 *                 bit 1 is square 3, bit 0 is square 4, bit 7 is square 5, ... bit 28 is square 32
 */
#define ENDMILL_EGDB_NORMAL 0
#define ENDMILL_EGDB_ROW_REVERSED 1

/* All pieces of Black, all of White, and the kings among both. */
typedef struct endmill_egdb_position {
    uint32_t black;
    uint32_t white;
    uint32_t king;
} endmill_egdb_position;

/* An open database. */
typedef struct endmill_egdb_driver endmill_egdb_driver;

/* Receives messages, one line of text without a line end. */
typedef void (*endmill_egdb_message)(const char *text);

/*
 * Opens the draughts tables with up to the given number of pieces, 1 to 24, with cache_mb MiB of
 * memory for decoded blocks. With no such memory, conditional look-ups never have an answer. Cheap:
 * no table is read. message may be null. Returns null if there is nothing to open, and passes the
 * reason to message.
 */
endmill_egdb_driver *endmill_egdb_open(int bitboards, int pieces, int cache_mb,
                                       const char *directory, endmill_egdb_message message);

/*
 * The value of a position for the side to move. If conditional is not 0, a look-up that needs to
 * read a file or decode a block returns ENDMILL_EGDB_NOT_CACHED. An unconditional look-up puts the
 * answer into the cache.
 */
int endmill_egdb_lookup(const endmill_egdb_driver *driver, const endmill_egdb_position *position,
                        int colour, int conditional);

/* The maximum number of pieces of a position that is looked up. */
int endmill_egdb_pieces(const endmill_egdb_driver *driver);

/* Closes the database and frees its memory. Null is ignored. */
void endmill_egdb_close(endmill_egdb_driver *driver);

#ifdef __cplusplus
}
#endif

#endif /* ENDMILL_EGDB_H */
