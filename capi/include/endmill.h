/*
 * Endmill: exact endgame databases of morris games and English draughts. The C interface.
 *
 * Generated from the crate endmill-capi: do not edit, see capi/tests/header.rs.
 *
 * Errors.   Calls answer an endmill_status and write an endmill_error where the caller gives one.
 *           Results are written only with ENDMILL_STATUS_OK, except where stated.
 * Threads.  One database may be asked by any number of threads at once, without locks. There is no
 *           global state. endmill_close() must be the last call with a database.
 * Memory.   Only endmill_open() gives something to be freed, by endmill_close(). All other results
 *           go into memory of the caller.
 *
 * docs/plug-in.md is the guide.
 */

#ifndef ENDMILL_H
#define ENDMILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of the text of an error, the final 0 included.
#define ENDMILL_ERROR_TEXT 512

// Bytes of the text of a turn, the final 0 included.
#define ENDMILL_TURN_TEXT 48

// Bytes of the name of a table, the final 0 included.
#define ENDMILL_TABLE_NAME 40

// Bytes that the text of a position takes at the most, the final 0 included.
#define ENDMILL_POSITION_TEXT 128

// Places that a turn passes between its first and its last one, at the most.
#define ENDMILL_VIA 8

// Instead of a place in `endmill_path.from`: a man is placed from the hand.
#define ENDMILL_HAND 255

// The colours, in `endmill_position.to_move`.
#define ENDMILL_WHITE 0

// The other one.
#define ENDMILL_BLACK 1

// Files are mapped into memory. They must not be changed in place while the database is open.
#define ENDMILL_MAPPED 0

// Files are read: for network disks, 32-bit systems, and files that may be overwritten.
#define ENDMILL_POSITIONED 1

// What every call answers. Numbers are never given another meaning; later versions may add some.
typedef enum endmill_status {
  // All is well.
  ENDMILL_STATUS_OK = 0,
  // Not known: a table that the answer needs is not in the database.
  ENDMILL_STATUS_TABLE_MISSING = 1,
  // The outcome is known, the distance is not.
  ENDMILL_STATUS_PLIES_MISSING = 2,
  // The buffer is too small; what fits was written, and the count says how much there is.
  ENDMILL_STATUS_BUFFER_TOO_SMALL = 3,
  // A null pointer, a text that is not UTF-8, or a number that means nothing.
  ENDMILL_STATUS_BAD_ARGUMENT = 4,
  // The position cannot be read, or is not legal.
  ENDMILL_STATUS_BAD_POSITION = 5,
  // There is no such ruleset.
  ENDMILL_STATUS_UNKNOWN_RULESET = 6,
  // A file was made for other rules.
  ENDMILL_STATUS_RULES_DIFFER = 7,
  // Two files were swapped, or two builds mixed.
  ENDMILL_STATUS_WRONG_FILE = 8,
  // Fetch or build the file again.
  ENDMILL_STATUS_FILE_DAMAGED = 9,
  // A newer version of this library is needed.
  ENDMILL_STATUS_FORMAT_TOO_NEW = 10,
  // The file was replaced while the database was open: open it again.
  ENDMILL_STATUS_FILE_REPLACED = 11,
  // Two tables contradict each other.
  ENDMILL_STATUS_CONTRADICTION = 12,
  // The operating system said no.
  ENDMILL_STATUS_IO = 13,
  // An error of this library; the database can still be used and closed.
  ENDMILL_STATUS_INTERNAL = 14,
  // The turn cannot be read, or is not legal in its position.
  ENDMILL_STATUS_BAD_TURN = 15,
  // Not now: it is not in the cache.
  ENDMILL_STATUS_NOT_CACHED = 16,
  // The file must be built again: this version of the library does not read it any more.
  ENDMILL_STATUS_FORMAT_TOO_OLD = 17,
  // The directory holds no table of the ruleset, or does not exist.
  ENDMILL_STATUS_NO_TABLES = 18,
} endmill_status;

// Who wins. Values are those of the side to move in the position that was asked about.
typedef enum endmill_outcome {
  // The side to move loses.
  ENDMILL_OUTCOME_LOSS = -1,
  // Neither side can force the end.
  ENDMILL_OUTCOME_DRAW = 0,
  // The side to move wins.
  ENDMILL_OUTCOME_WIN = 1,
} endmill_outcome;

// Why a line of best play ends.
typedef enum endmill_line_end {
  // The game is over.
  ENDMILL_LINE_END_FINISHED = 0,
  // A drawn game comes back to a position that was in the line before.
  ENDMILL_LINE_END_REPETITION = 1,
  // A drawn game has gone on for long enough.
  ENDMILL_LINE_END_CUT = 2,
} endmill_line_end;

// A database that is open. One handle may be used by any number of threads at once; only closing
// it needs that nobody else uses it any more.
typedef struct endmill_database endmill_database;

// How a database is read, and what it may take. Begin with endmill_default_options().
typedef struct endmill_options {
  // Bytes of decoded blocks to keep; 0 keeps none.
  uint64_t cache_bytes;
  // Files to keep open or mapped.
  uint32_t open_files;
  // ENDMILL_MAPPED or ENDMILL_POSITIONED.
  uint8_t access;
} endmill_options;

// What went wrong, for programs and for people. Every call that can fail takes a pointer to one,
// which may be null; it is written only if the call does not answer ENDMILL_STATUS_OK.
typedef struct endmill_error {
  // What the call answered.
  enum endmill_status status;
  // The wrong character of the text of a position or a turn, from 0; -1 if there is none to point at.
  int32_t at;
  // A sentence, cut off if it is too long.
  char text[ENDMILL_ERROR_TEXT];
} endmill_error;

// A position, unchecked: fill it in, or let endmill_morris(), endmill_draughts() or
// endmill_read_position() do it. Every question checks that it is legal.
//
// A set of places is 32 bits. Draughts: bit i is square i+1, whoever is to move. Morris: the
// points in reading order, row 1 first; on the boards of 24 points
//
//      0 ---------  1 ---------  2        a1 d1 g1
//          3 -----  4 -----  5            b2 d2 f2
//              6 -  7 -  8                c3 d3 e3
//      9   10  11      12  13   14        a4 b4 c4 e4 f4 g4
//             15 - 16 - 17                c5 d5 e5
//         18 ----- 19 ----- 20            b6 d6 f6
//     21 --------- 22 --------- 23        a7 d7 g7
//
// six: 0-2 a1 c1 e1, 3-5 b2 c2 d2, 6-9 a3 b3 d3 e3, 10-12 b4 c4 d4, 13-15 a5 c5 e5;
// three: 0-2 a1 b1 c1, 3-5 a2 b2 c2, 6-8 a3 b3 c3.
typedef struct endmill_position {
  // White's men, and kings.
  uint32_t white;
  // Black's men, and kings.
  uint32_t black;
  // Which of them are kings; 0 in morris.
  uint32_t kings;
  // Men still in White's hand; 0 in draughts.
  uint8_t white_hand;
  // Men still in Black's hand; 0 in draughts.
  uint8_t black_hand;
  // ENDMILL_WHITE or ENDMILL_BLACK.
  uint8_t to_move;
  // Plies since the last removal, where a rule counts them; otherwise 0.
  uint16_t quiet;
  // Lines that may not be closed by the next turn, where a rule bans some; otherwise 0.
  uint32_t banned;
  // 0: room for what other rules may need.
  uint32_t reserved[2];
} endmill_position;

// A turn in numbers. Places are the bits of endmill_position. From, to and taken tell a turn apart
// from all others of its position.
typedef struct endmill_path {
  // The men that are taken, as a set.
  uint32_t taken;
  // Where the man comes from; ENDMILL_HAND if it is placed.
  uint8_t from;
  // Where it ends; in draughts that may be where it came from.
  uint8_t to;
  // How many places it visits in between: only in a capture of several jumps.
  uint8_t via_count;
  // These places, in order; the rest is 0. One way to go, if there are several.
  uint8_t via[ENDMILL_VIA];
} endmill_path;

// What a position or a turn is worth.
typedef struct endmill_value {
  // Who wins.
  enum endmill_outcome outcome;
  // Plies to the end of the game: odd in a win, even in a loss, 0 = already lost. 0 in a draw,
  // and where plies_known is false.
  uint16_t plies;
  // Whether plies is the distance of a win or loss.
  bool plies_known;
} endmill_value;

// A turn with what is known of it.
typedef struct endmill_turn {
  // As the game writes it: "a1-a4xg7", "22x15x8".
  char text[ENDMILL_TURN_TEXT];
  // ENDMILL_STATUS_OK, or ENDMILL_STATUS_TABLE_MISSING: then value means nothing.
  enum endmill_status status;
  // What it is worth for the side that makes it, this turn counted as a ply.
  struct endmill_value value;
  // The table that is missing; empty if none is, or if no table could have that many pieces.
  char missing[ENDMILL_TABLE_NAME];
  // The turn in numbers, for endmill_play().
  struct endmill_path path;
} endmill_turn;

// What a database has.
typedef struct endmill_coverage_info {
  // Tables that are there.
  uint32_t tables;
  // Those of them that have distances.
  uint32_t tables_with_plies;
  // Pieces on the board in the largest of them.
  uint32_t most_pieces;
  // Every table with this number of pieces or fewer, and none in hand, is there.
  uint32_t complete_to;
  // Every table of the ruleset is there.
  bool whole_game;
} endmill_coverage_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, "0.1.0".
const char *endmill_version(void);

// A few words for a status, "table missing"; for people, and for any number.
const char *endmill_status_text(int status);

// Mapped files, a cache of 64 MiB, 768 open files.
struct endmill_options endmill_default_options(void);

// Opens the tables of a ruleset ("nine", "draughts", ...) in a database directory. Cheap: only
// file names are listed. A directory that holds no table of the ruleset, or does not exist, is
// refused with ENDMILL_STATUS_NO_TABLES. Options may be null.
//
// On success *database is a handle for endmill_close(); otherwise it is null.
enum endmill_status endmill_open(const char *directory,
                                 const char *ruleset,
                                 const struct endmill_options *options,
                                 struct endmill_database **database,
                                 struct endmill_error *error);

// The rules of a ruleset without any table: for programs that play on where endmill_open()
// answers ENDMILL_STATUS_NO_TABLES. Positions are read, written and played; what they are worth is
// not known unless the game is over.
//
// On success *database is a handle for endmill_close(); otherwise it is null.
enum endmill_status endmill_open_rules(const char *ruleset,
                                       struct endmill_database **database,
                                       struct endmill_error *error);

// Closes a database and frees all that belongs to it. Nobody may use it at the same time or
// afterwards. Null is let pass.
void endmill_close(struct endmill_database *database);

// A morris position by the men of the side to move, those of its opponent, and the men in their
// hands. Colours do not matter in morris, but in placing White comes first: the side to move is
// Black if it has more men in hand, otherwise White.
struct endmill_position endmill_morris(uint32_t own,
                                       uint32_t opponent,
                                       uint8_t own_hand,
                                       uint8_t opponent_hand);

// A draughts position by all pieces of Black, who moves towards higher squares, and of White; the
// kings among both; and ENDMILL_WHITE or ENDMILL_BLACK to move.
struct endmill_position endmill_draughts(uint32_t black,
                                         uint32_t white,
                                         uint32_t kings,
                                         uint8_t to_move);

// Reads a position in any notation of the game: "W:Wa1,d1,g7:Bb2,b4,d6", "W:W18,K31:B12,K5".
enum endmill_status endmill_read_position(const struct endmill_database *database,
                                          const char *text,
                                          struct endmill_position *position,
                                          struct endmill_error *error);

// The position in which a game starts.
enum endmill_status endmill_start(const struct endmill_database *database,
                                  struct endmill_position *position,
                                  struct endmill_error *error);

// Plays a turn that is given by its places: from, to and taken must be those of a legal turn,
// via is not looked at. Position and after may be the same. Needs no table.
//
// ENDMILL_STATUS_BAD_TURN if there is no such turn.
enum endmill_status endmill_play(const struct endmill_database *database,
                                 const struct endmill_position *position,
                                 const struct endmill_path *turn,
                                 struct endmill_position *after,
                                 struct endmill_error *error);

// The same for a turn that is given as a text, "a1-a4xg7" or "22x15x8".
enum endmill_status endmill_play_text(const struct endmill_database *database,
                                      const struct endmill_position *position,
                                      const char *turn,
                                      struct endmill_position *after,
                                      struct endmill_error *error);

// Writes a position in the first notation of the game, with a final 0; ENDMILL_POSITION_TEXT
// bytes are always enough.
enum endmill_status endmill_write_position(const struct endmill_database *database,
                                           const struct endmill_position *position,
                                           char *buffer,
                                           size_t size,
                                           struct endmill_error *error);

// ENDMILL_STATUS_OK if the table of the position is there, ENDMILL_STATUS_TABLE_MISSING if not. Reads no file:
// what a search asks before endmill_probe_outcome().
enum endmill_status endmill_covers(const struct endmill_database *database,
                                   const struct endmill_position *position,
                                   struct endmill_error *error);

// Who wins, for searches: reads outcomes only. ENDMILL_STATUS_TABLE_MISSING if it is not known.
enum endmill_status endmill_probe_outcome(const struct endmill_database *database,
                                          const struct endmill_position *position,
                                          enum endmill_outcome *outcome,
                                          struct endmill_error *error);

// Who wins, if the cache of decoded blocks knows it: reads no file and decodes nothing.
// ENDMILL_STATUS_NOT_CACHED if it does not know: endmill_probe_outcome() may, and fills the
// cache. ENDMILL_STATUS_TABLE_MISSING if that would not know either.
enum endmill_status endmill_cached_outcome(const struct endmill_database *database,
                                           const struct endmill_position *position,
                                           enum endmill_outcome *outcome,
                                           struct endmill_error *error);

// Who wins, and in how many plies if that is known.
enum endmill_status endmill_probe(const struct endmill_database *database,
                                  const struct endmill_position *position,
                                  struct endmill_value *value,
                                  struct endmill_error *error);

// Every legal turn, best first: wins, the shortest first; draws; turns into missing tables, which
// may be anything; losses, the longest first. A finished game has none.
//
// *count becomes the number of turns. If capacity is less, only the best that fit are written and the
// answer is ENDMILL_STATUS_BUFFER_TOO_SMALL. Turns may be null if capacity is 0.
enum endmill_status endmill_moves(const struct endmill_database *database,
                                  const struct endmill_position *position,
                                  struct endmill_turn *turns,
                                  size_t capacity,
                                  size_t *count,
                                  struct endmill_error *error);

// The rest of the game under best play of both sides: exactly the plies that endmill_probe()
// says, or a drawn game until a position comes back. Each turn's value is that of the side that
// makes it. Turns, capacity and count are as for endmill_moves(); end may be null.
//
// Refuses where a best turn cannot be proved, with ENDMILL_STATUS_PLIES_MISSING or
// ENDMILL_STATUS_TABLE_MISSING.
enum endmill_status endmill_best_line(const struct endmill_database *database,
                                      const struct endmill_position *position,
                                      struct endmill_turn *turns,
                                      size_t capacity,
                                      size_t *count,
                                      enum endmill_line_end *end,
                                      struct endmill_error *error);

// What the database has, from the names of its files.
enum endmill_status endmill_coverage(const struct endmill_database *database,
                                     struct endmill_coverage_info *coverage,
                                     struct endmill_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ENDMILL_H */
