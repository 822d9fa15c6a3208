/* The shortest bot in C: it knows no rules and plays the longest move it is told, which is the one
   with the most captures. Build it with `cc -O2 -o first_bot first_bot.c`. */

#include <stdio.h>
#include <string.h>

#define BLANKS " \t\r\n"

int main(void)
{
    static char line[65536 + 1]; /* no line is longer than 64 KiB */
    char *word;

    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* or the answers wait in a buffer */
    while (fgets(line, sizeof line, stdin) != NULL) {
        word = strtok(line, BLANKS);
        if (word == NULL)
            continue;
        if (strcmp(word, "ugi") == 0) {
            puts("id name first_bot in C\nugiok");
        } else if (strcmp(word, "isready") == 0) {
            puts("readyok");
        } else if (strcmp(word, "go") == 0) {
            const char *best = NULL;
            int told = 0;
            while ((word = strtok(NULL, BLANKS)) != NULL) {
                if (strcmp(word, "searchmoves") == 0)
                    told = 1;
                else if (told && (best == NULL || strlen(word) > strlen(best)))
                    best = word;
            }
            printf("bestmove %s\n", best != NULL ? best : "0000");
        } else if (strcmp(word, "quit") == 0) {
            break;
        }
    }
    return 0;
}
