/*
 * Looks up draughts positions like an engine that supports a driver: first in the cache, then
 * unconditionally. Reads one position per line, "black white kings colour" as numbers (colour 0 for
 * Black to move), and prints one value per line.
 *
 *     endmill build draughts --pieces 4
 *     cargo build --release -p endmill-capi
 *     cc -I capi/include capi/examples/egdb.c -L target/release -lendmill -o egdb
 *     echo '0x200 0x4000 0x4200 0' | LD_LIBRARY_PATH=target/release ./egdb data/db 4
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "endmill_egdb.h"

static void say(const char *text) {
    fprintf(stderr, "egdb: %s\n", text);
}

static const char *name(int value) {
    switch (value) {
    case ENDMILL_EGDB_WIN:
        return "win";
    case ENDMILL_EGDB_LOSS:
        return "loss";
    case ENDMILL_EGDB_DRAW:
        return "draw";
    case ENDMILL_EGDB_UNAVAILABLE:
        return "unavailable";
    case ENDMILL_EGDB_NOT_CACHED:
        return "not cached";
    default:
        return "unknown";
    }
}

int main(int argc, char **argv) {
    endmill_egdb_driver *driver;
    endmill_egdb_position position;
    int colour, at_once, value;
    long waited = 0, asked = 0;

    if (argc != 3) {
        fprintf(stderr, "usage: egdb DIRECTORY PIECES\n");
        return 2;
    }
    driver = endmill_egdb_open(ENDMILL_EGDB_NORMAL, atoi(argv[2]), 64, argv[1], say);
    if (!driver) {
        return 1;
    }
    while (scanf("%" SCNi32 " %" SCNi32 " %" SCNi32 " %d", (int32_t *)&position.black,
                 (int32_t *)&position.white, (int32_t *)&position.king, &colour) == 4) {
        /* Inside a search: only what is cached. */
        at_once = endmill_egdb_lookup(driver, &position, colour, 1);
        /* At the root: always. */
        value = endmill_egdb_lookup(driver, &position, colour, 0);
        asked++;
        waited += at_once == ENDMILL_EGDB_NOT_CACHED;
        if (at_once != ENDMILL_EGDB_NOT_CACHED && at_once != value) {
            fprintf(stderr, "two answers to one question\n");
            return 1;
        }
        printf("%s\n", name(value));
    }
    fprintf(stderr, "egdb: up to %d pieces, %ld of %ld look-ups had to read\n",
            endmill_egdb_pieces(driver), waited, asked);
    endmill_egdb_close(driver);
    return 0;
}
