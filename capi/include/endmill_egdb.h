/*
 * Endmill: endgame databases of English draughts (checkers) behind an interface with the habits of
 * the well-known drivers, for engines that have code for one. endmill.h has more: distances, best
 * moves, lines, errors with their reasons.
 *
 * Threads.  One driver may be asked by any number of threads at once. endmill_egdb_close() must be
 *           the last call with it.
 * Captures. A position with a capture for either side is answered like any other: it is resolved
 *           by its moves. No search is needed before a look-up.
 *
 * docs/plug-in.md is the guide.
 */
#ifndef ENDMILL_EGDB_H
#define ENDMILL_EGDB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a look-up answers, for the side to move. */
#define ENDMILL_EGDB_UNAVAILABLE (-2) /* more pieces than there are tables for, or one is missing */
#define ENDMILL_EGDB_NOT_CACHED (-1)  /* a conditional look-up that would have to read or decode */
#define ENDMILL_EGDB_UNKNOWN 0        /* no legal position, or a damaged file (see the message) */
#define ENDMILL_EGDB_WIN 1
#define ENDMILL_EGDB_LOSS 2
#define ENDMILL_EGDB_DRAW 3

/* The side to move. Black has the squares 1 to 12 at the start and moves towards higher ones. */
#define ENDMILL_EGDB_BLACK 0
#define ENDMILL_EGDB_WHITE 1

/*
 * Which bit is which square.
 *   normal        bit 0 is square 1, bit 1 is square 2, ... bit 31 is square 32
 *   row reversed  every row of four the other way round: bit 3 is square 1, bit 2 is square 2,
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

/* Hears what happens, a line of text without a line end. */
typedef void (*endmill_egdb_message)(const char *text);

/*
 * Opens the draughts tables with up to the given number of pieces, 1 to 24, with cache_mb MiB of
 * memory for decoded blocks. Without any memory conditional look-ups never answer. Cheap: no table
 * is read. message may be null. The answer is null if there is nothing to open; message is told
 * why.
 */
endmill_egdb_driver *endmill_egdb_open(int bitboards, int pieces, int cache_mb,
                                       const char *directory, endmill_egdb_message message);

/*
 * What a position is worth for the side to move. If conditional is not 0, only if that is known
 * without reading a file or decoding a block: otherwise ENDMILL_EGDB_NOT_CACHED. A look-up that is
 * not conditional makes it known.
 */
int endmill_egdb_lookup(const endmill_egdb_driver *driver, const endmill_egdb_position *position,
                        int colour, int conditional);

/* The most pieces of a position that is looked up. */
int endmill_egdb_pieces(const endmill_egdb_driver *driver);

/* Closes the database and frees all that belongs to it. Null is let pass. */
void endmill_egdb_close(endmill_egdb_driver *driver);

#ifdef __cplusplus
}
#endif

#endif /* ENDMILL_EGDB_H */
