/*
 * Endmill: exact endgame databases of morris games and English draughts. The C interface.
 *
 * Generated from the crate endmill-capi: do not edit, see capi/tests/header.rs.
 *
 * Errors.   Calls return an endmill_status and fill in an endmill_error if the caller passes one.
 *           Results are written only with ENDMILL_STATUS_OK, except where stated.
 * Threads.  Any number of threads may use a database at once, without locks. The library has
 *           no global state. endmill_close() must be the last call with a database.
 * Memory.   Only endmill_open() and endmill_open_rules() allocate; endmill_close() frees that. All
 *           other results are written to memory of the caller.
 *
 * docs/c.md is the guide.
 */

#ifndef ENDMILL_H
#define ENDMILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Size of the text of an error in bytes, with the final 0.
#define ENDMILL_ERROR_TEXT 512

// Size of the text of a move in bytes, with the final 0.
#define ENDMILL_TURN_TEXT 48

// Size of the name of a table in bytes, with the final 0.
#define ENDMILL_TABLE_NAME 40

// The size of the list of tables in an endmill_draw_rank, with the terminating zero.
#define ENDMILL_RANK_TABLES 256

// The maximum size of the text of a position in bytes, with the final 0.
#define ENDMILL_POSITION_TEXT 128

// The maximum number of places between the ends of a move.
#define ENDMILL_VIA 8

// In `endmill_path.from`: a man is placed from the hand.
#define ENDMILL_HAND 255

// White, in `endmill_position.to_move`.
#define ENDMILL_WHITE 0

// Black, in `endmill_position.to_move`.
#define ENDMILL_BLACK 1

// Map files into memory. They must not be changed in place while the database is open.
#define ENDMILL_MAPPED 0

// Read files: for network disks, 32-bit systems, and files that may be overwritten.
#define ENDMILL_POSITIONED 1

// The result of a call. Numbers never change their meaning; later versions may add some.
typedef enum endmill_status {
  // Success.
  ENDMILL_STATUS_OK = 0,
  // The answer is not known: it needs a table that is not in the database.
  ENDMILL_STATUS_TABLE_MISSING = 1,
  // The outcome is known, but the distance is not.
  ENDMILL_STATUS_PLIES_MISSING = 2,
  // The buffer is too small. What fits was written, and the count is the size that is needed.
  ENDMILL_STATUS_BUFFER_TOO_SMALL = 3,
  // A null pointer, a text that is not UTF-8, or a number without a meaning.
  ENDMILL_STATUS_BAD_ARGUMENT = 4,
  // The position cannot be read, or is not legal.
  ENDMILL_STATUS_BAD_POSITION = 5,
  // Unknown ruleset.
  ENDMILL_STATUS_UNKNOWN_RULESET = 6,
  // A file was built for other rules.
  ENDMILL_STATUS_RULES_DIFFER = 7,
  // Two files were swapped, or files of two builds mixed.
  ENDMILL_STATUS_WRONG_FILE = 8,
  // Fetch or build the file again.
  ENDMILL_STATUS_FILE_DAMAGED = 9,
  // A newer version of this library is needed.
  ENDMILL_STATUS_FORMAT_TOO_NEW = 10,
  // The file was replaced while the database was open: open it again.
  ENDMILL_STATUS_FILE_REPLACED = 11,
  // Two tables contradict each other.
  ENDMILL_STATUS_CONTRADICTION = 12,
  // I/O error.
  ENDMILL_STATUS_IO = 13,
  // A bug in this library. The database can still be used and closed.
  ENDMILL_STATUS_INTERNAL = 14,
  // The turn cannot be read, or is not legal in its position.
  ENDMILL_STATUS_BAD_TURN = 15,
  // The answer is not in the cache.
  ENDMILL_STATUS_NOT_CACHED = 16,
  // This version of the library no longer reads the file: build it again.
  ENDMILL_STATUS_FORMAT_TOO_OLD = 17,
  // The directory holds no table of the ruleset, or does not exist.
  ENDMILL_STATUS_NO_TABLES = 18,
} endmill_status;

// Who wins, seen from the side to move in the position of the question.
typedef enum endmill_outcome {
  // The side to move loses.
  ENDMILL_OUTCOME_LOSS = -1,
  // Neither side can force a win.
  ENDMILL_OUTCOME_DRAW = 0,
  // The side to move wins.
  ENDMILL_OUTCOME_WIN = 1,
} endmill_outcome;

// Why a line of best play ends.
typedef enum endmill_line_end {
  // The game is over.
  ENDMILL_LINE_END_FINISHED = 0,
  // A drawn game repeats a position of the line.
  ENDMILL_LINE_END_REPETITION = 1,
  // A drawn game has reached the maximum length of a line.
  ENDMILL_LINE_END_CUT = 2,
} endmill_line_end;

// An open database. Any number of threads may share a handle, but no other thread may use it while
// it is closed, or afterwards.
typedef struct endmill_database endmill_database;

// How a database is read, and its limits. Start from endmill_default_options().
typedef struct endmill_options {
  // Size of the cache of decoded blocks in bytes; 0 for no cache.
  uint64_t cache_bytes;
  // The maximum number of files to keep open or mapped.
  uint32_t open_files;
  // ENDMILL_MAPPED or ENDMILL_POSITIONED.
  uint8_t access;
} endmill_options;

// What went wrong, for programs and for people. Every call that can fail takes a pointer to one,
// which may be null. It is written only if the call does not return ENDMILL_STATUS_OK.
typedef struct endmill_error {
  // The result of the call.
  enum endmill_status status;
  // The wrong character of the text of a position or a move, from 0; -1 if that does not apply.
  int32_t at;
  // A message, truncated if it is too long.
  char text[ENDMILL_ERROR_TEXT];
} endmill_error;

// A position. Fill it in, or call endmill_morris(), endmill_draughts() or
// endmill_read_position(). Every question checks that it is legal.
//
// A set of places is 32 bits. Draughts: bit i is square i+1, for either side to move. Morris: the
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
  // White's men and kings.
  uint32_t white;
  // Black's men and kings.
  uint32_t black;
  // The kings among both; 0 in morris.
  uint32_t kings;
  // Men still in White's hand; 0 in draughts.
  uint8_t white_hand;
  // Men still in Black's hand; 0 in draughts.
  uint8_t black_hand;
  // ENDMILL_WHITE or ENDMILL_BLACK.
  uint8_t to_move;
  // Plies since the last removal if a rule counts them; otherwise 0.
  uint16_t quiet;
  // Lines that the next move may not close, if a rule bans some; otherwise 0.
  uint32_t banned;
  // Reserved for other rules: 0.
  uint32_t reserved[2];
} endmill_position;

// A move in numbers. Places are the bits of endmill_position. No two moves of a position have the
// same from, to and taken.
typedef struct endmill_path {
  // The set of captured men.
  uint32_t taken;
  // The place the man leaves; ENDMILL_HAND if it is placed.
  uint8_t from;
  // The place where it ends. In draughts that may be the place it leaves.
  uint8_t to;
  // The number of places in between, in a capture of several jumps; otherwise 0.
  uint8_t via_count;
  // These places in order, then 0. If there are several paths, one of them.
  uint8_t via[ENDMILL_VIA];
} endmill_path;

// The value of a position or a move.
typedef struct endmill_value {
  // Who wins.
  enum endmill_outcome outcome;
  // Plies to the end of the game: odd in a win, even in a loss, 0 = already lost. 0 in a draw,
  // and if plies_known is false.
  uint16_t plies;
  // True if plies is the distance of a win or loss.
  bool plies_known;
} endmill_value;

// How good a draw is: the score of the table in which the game stays for ever, if each side prefers a
// better score for itself.
typedef struct endmill_draw_rank_info {
  // True if the position is a draw whose rank is stored; otherwise the other fields are 0.
  bool known;
  // True if the game leaves its table: then conversion_plies is the number of plies until it does.
  bool converts;
  // Plies until the game leaves its table; 0 if it stays.
  uint16_t conversion_plies;
  // The score for the side to move, to the nearest number.
  double score;
  // The exact score is numerator / denominator.
  int64_t numerator;
  // Positive if known.
  uint64_t denominator;
  // The names of the tables with this score, separated by spaces: as many as fit.
  char tables[ENDMILL_RANK_TABLES];
} endmill_draw_rank_info;

// A move and its value.
typedef struct endmill_turn {
  // The text of the move: "a1-a4xg7", "22x15x8".
  char text[ENDMILL_TURN_TEXT];
  // ENDMILL_STATUS_OK, or ENDMILL_STATUS_TABLE_MISSING, which leaves value without a meaning.
  enum endmill_status status;
  // Its value for the side that makes it; the move counts as a ply.
  struct endmill_value value;
  // The missing table; empty if none is missing, or if no table has that many pieces.
  char missing[ENDMILL_TABLE_NAME];
  // The move in numbers, for endmill_play().
  struct endmill_path path;
} endmill_turn;

// The contents of a database.
typedef struct endmill_coverage_info {
  // The number of tables.
  uint32_t tables;
  // The number of tables with distances.
  uint32_t tables_with_plies;
  // The number of pieces on the board in the largest table.
  uint32_t most_pieces;
  // Every table with at most this number of pieces, and none in hand, is there.
  uint32_t complete_to;
  // True if every table of the ruleset is there.
  bool whole_game;
} endmill_coverage_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as "0.1.0".
const char *endmill_version(void);

// A short text for a status, such as "table missing". Accepts any number.
const char *endmill_status_text(int status);

// The default options: mapped files, a cache of 64 MiB, 768 open files.
struct endmill_options endmill_default_options(void);

// Opens the tables of a ruleset ("nine", "draughts", ...) in a database directory. Cheap: this only
// lists file names. Fails with ENDMILL_STATUS_NO_TABLES if the directory holds no table of the
// ruleset, or does not exist. Options may be null.
//
// On success *database is a handle for endmill_close(); otherwise it is null.
enum endmill_status endmill_open(const char *directory,
                                 const char *ruleset,
                                 const struct endmill_options *options,
                                 struct endmill_database **database,
                                 struct endmill_error *error);

// Opens the rules of a ruleset without any table, for programs that continue if endmill_open()
// returns ENDMILL_STATUS_NO_TABLES. Positions can be read, written and played; their values are not
// known unless the game is over.
//
// On success *database is a handle for endmill_close(); otherwise it is null.
enum endmill_status endmill_open_rules(const char *ruleset,
                                       struct endmill_database **database,
                                       struct endmill_error *error);

// Closes a database and frees its memory. No other thread may use it at the same time or
// afterwards. Null is ignored.
void endmill_close(struct endmill_database *database);

// A morris position, given by the men of the side to move, the men of its opponent, and the men in
// their hands. Colours do not matter in morris, but White places first: the side to move is Black if
// it has more men in hand, otherwise White.
struct endmill_position endmill_morris(uint32_t own,
                                       uint32_t opponent,
                                       uint8_t own_hand,
                                       uint8_t opponent_hand);

// A draughts position, given by all pieces of Black, who moves towards higher squares, and of White,
// the kings among both, and the side to move, ENDMILL_WHITE or ENDMILL_BLACK.
struct endmill_position endmill_draughts(uint32_t black,
                                         uint32_t white,
                                         uint32_t kings,
                                         uint8_t to_move);

// Reads a position in any notation of the game: "W:Wa1,d1,g7:Bb2,b4,d6", "W:W18,K31:B12,K5".
enum endmill_status endmill_read_position(const struct endmill_database *database,
                                          const char *text,
                                          struct endmill_position *position,
                                          struct endmill_error *error);

// The starting position.
enum endmill_status endmill_start(const struct endmill_database *database,
                                  struct endmill_position *position,
                                  struct endmill_error *error);

// Plays a move that is given by its places: from, to and taken must be those of a legal move, and
// via is ignored. Position and after may be the same. Needs no table.
//
// Fails with ENDMILL_STATUS_BAD_TURN if there is no such move.
enum endmill_status endmill_play(const struct endmill_database *database,
                                 const struct endmill_position *position,
                                 const struct endmill_path *turn,
                                 struct endmill_position *after,
                                 struct endmill_error *error);

// Plays a move that is given as a text, such as "a1-a4xg7" or "22x15x8".
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

// Returns ENDMILL_STATUS_OK if the table of the position is there, ENDMILL_STATUS_TABLE_MISSING if not.
// Reads no file. A search calls this before endmill_probe_outcome().
enum endmill_status endmill_covers(const struct endmill_database *database,
                                   const struct endmill_position *position,
                                   struct endmill_error *error);

// Who wins, for searches: reads outcomes only. Fails with ENDMILL_STATUS_TABLE_MISSING if the outcome
// is not known.
enum endmill_status endmill_probe_outcome(const struct endmill_database *database,
                                          const struct endmill_position *position,
                                          enum endmill_outcome *outcome,
                                          struct endmill_error *error);

// Who wins, if the answer is in the cache of decoded blocks: reads no file and decodes nothing.
// Fails with ENDMILL_STATUS_NOT_CACHED if endmill_probe_outcome(), which also fills the cache, may
// know the answer, and with ENDMILL_STATUS_TABLE_MISSING if it does not know it either.
enum endmill_status endmill_cached_outcome(const struct endmill_database *database,
                                           const struct endmill_position *position,
                                           enum endmill_outcome *outcome,
                                           struct endmill_error *error);

// Who wins, and in how many plies if that is known.
enum endmill_status endmill_probe(const struct endmill_database *database,
                                  const struct endmill_position *position,
                                  struct endmill_value *value,
                                  struct endmill_error *error);

// How good a draw is. If the position is not a draw, or its rank is not stored, the call succeeds and
// sets rank->known to false.
enum endmill_status endmill_draw_rank(const struct endmill_database *database,
                                      const struct endmill_position *position,
                                      struct endmill_draw_rank_info *rank,
                                      struct endmill_error *error);

// Every legal move, best first: wins, the shortest first; draws, by their ranks where these are
// stored; moves into missing tables, whose
// values are unknown; losses, the longest first. A finished game has none.
//
// *count becomes the number of moves. If capacity is less, only the best moves that fit are written
// and the call returns ENDMILL_STATUS_BUFFER_TOO_SMALL. Turns may be null if capacity is 0.
enum endmill_status endmill_moves(const struct endmill_database *database,
                                  const struct endmill_position *position,
                                  struct endmill_turn *turns,
                                  size_t capacity,
                                  size_t *count,
                                  struct endmill_error *error);

// The rest of the game under best play of both sides: exactly as many plies as endmill_probe()
// returns, or a drawn game until a position is repeated. The value of each move is for the side that
// makes it. Turns, capacity and count are as for endmill_moves(); end may be null.
//
// Fails with ENDMILL_STATUS_PLIES_MISSING or ENDMILL_STATUS_TABLE_MISSING if a best move cannot be
// proved.
enum endmill_status endmill_best_line(const struct endmill_database *database,
                                      const struct endmill_position *position,
                                      struct endmill_turn *turns,
                                      size_t capacity,
                                      size_t *count,
                                      enum endmill_line_end *end,
                                      struct endmill_error *error);

// The contents of the database, from the names of its files.
enum endmill_status endmill_coverage(const struct endmill_database *database,
                                     struct endmill_coverage_info *coverage,
                                     struct endmill_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ENDMILL_H */
