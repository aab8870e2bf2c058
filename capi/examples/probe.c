/*
 * Asks a database about an ending of each game, by text and by bitboards.
 *
 *     endmill build nine --pieces 6 && endmill build draughts --pieces 3
 *     cargo build --release -p endmill-capi
 *     cc -I capi/include capi/examples/probe.c -L target/release -lendmill -o probe
 *     LD_LIBRARY_PATH=target/release ./probe data/db
 */
#include <stdio.h>
#include <stdlib.h>

#include "endmill.h"

/* No position of these rulesets has more moves. */
#define MOST_TURNS 256

static void fail(const endmill_error *error) {
    fprintf(stderr, "%s: %s\n", endmill_status_text(error->status), error->text);
    exit(1);
}

static const char *name(endmill_outcome outcome) {
    switch (outcome) {
    case ENDMILL_OUTCOME_LOSS:
        return "loss";
    case ENDMILL_OUTCOME_DRAW:
        return "draw";
    default:
        return "win";
    }
}

static void print_value(const char *what, const endmill_value *value) {
    printf("%s: %s", what, name(value->outcome));
    if (value->plies_known) {
        printf(" in %u", value->plies);
    }
    printf("\n");
}

/* Plays a move by its places and by its text. */
static void play_both(const endmill_database *database, const endmill_position *position,
                      const endmill_turn *turn) {
    endmill_position after, same;
    endmill_error error;

    if (endmill_play(database, position, &turn->path, &after, &error) ||
        endmill_play_text(database, position, turn->text, &same, &error)) {
        fail(&error);
    }
    if (after.white != same.white || after.black != same.black || after.kings != same.kings ||
        after.to_move == position->to_move) {
        fprintf(stderr, "two ways to play one turn\n");
        exit(1);
    }
}

/* Prints a position, its value, every move, and the line of best play. */
static void show(const endmill_database *database, const endmill_position *position) {
    static endmill_turn turns[MOST_TURNS];
    char text[ENDMILL_POSITION_TEXT];
    endmill_outcome outcome;
    endmill_value value;
    endmill_line_end end;
    endmill_error error;
    size_t count, i;

    if (endmill_write_position(database, position, text, sizeof text, &error) ||
        endmill_probe_outcome(database, position, &outcome, &error) ||
        endmill_probe(database, position, &value, &error) ||
        endmill_moves(database, position, turns, MOST_TURNS, &count, &error)) {
        fail(&error);
    }
    print_value(text, &value);
    if (outcome != value.outcome) {
        fprintf(stderr, "two answers to one question\n");
        exit(1);
    }
    for (i = 0; i < count; i++) {
        play_both(database, position, &turns[i]);
        if (turns[i].status == ENDMILL_STATUS_OK) {
            print_value(turns[i].text, &turns[i].value);
        } else {
            printf("%s: table %s is missing\n", turns[i].text, turns[i].missing);
        }
    }
    if (endmill_best_line(database, position, turns, MOST_TURNS, &count, &end, &error)) {
        fail(&error);
    }
    printf("line:");
    for (i = 0; i < count; i++) {
        printf(" %s", turns[i].text);
    }
    printf("%s\n\n", end == ENDMILL_LINE_END_FINISHED ? "" : " ...");
}

/* The same position, read from a text and built from bitboards. */
static void show_both(const char *directory, const char *ruleset, const char *text,
                      const endmill_position *from_bitboards) {
    endmill_database *database;
    endmill_coverage_info coverage;
    endmill_position from_text;
    endmill_error error;

    if (endmill_open(directory, ruleset, NULL, &database, &error) ||
        endmill_coverage(database, &coverage, &error) ||
        endmill_read_position(database, text, &from_text, &error)) {
        fail(&error);
    }
    printf("%s: %u tables, up to %u pieces\n", ruleset, coverage.tables, coverage.most_pieces);
    show(database, &from_text);
    show(database, from_bitboards);
    endmill_close(database);
}

int main(int argc, char **argv) {
    endmill_database *none;
    endmill_error error;
    endmill_position position;

    if (argc != 2) {
        fprintf(stderr, "usage: probe DIRECTORY\n");
        return 2;
    }
    printf("libendmill %s\n\n", endmill_version());

    /* Men on a1, d1, g4 against b2, b4, d6: bits 0, 1, 14 against 3, 10, 19. */
    position = endmill_morris(1u << 0 | 1u << 1 | 1u << 14, 1u << 3 | 1u << 10 | 1u << 19, 0, 0);
    show_both(argv[1], "nine", "W:Wa1,d1,g4:Bb2,b4,d6", &position);

    /* Black kings on 10 and 14, White's on 5; Black to move. */
    position = endmill_draughts(1u << 9 | 1u << 13, 1u << 4, 1u << 9 | 1u << 13 | 1u << 4,
                                ENDMILL_BLACK);
    show_both(argv[1], "draughts", "B:WK5:BK10,K14", &position);

    /* Errors come with a reason. */
    if (endmill_open(argv[1], "thirteen", NULL, &none, &error) != ENDMILL_STATUS_UNKNOWN_RULESET) {
        return 1;
    }
    printf("%s: %s\n", endmill_status_text(error.status), error.text);
    return 0;
}
