import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const GAMES = 200;
const PLAYERS = 3_000;

export const dynamicFieldNames: Exhibit = {
  check: 'dynamic-field-names',
  story: "scores under the players' names / scores as an array of player and points",
  bad: {
    name: 'games_by_player_name',
    path: 'scores',
    async plant(database) {
      const random = new SeededRandom(5);
      const games = Array.from({ length: GAMES }, (_, index) => ({
        title: `game ${index}`,
        scores: Object.fromEntries(
          Array.from({ length: 12 }, () => [`player${random.between(1, PLAYERS)}`, random.between(0, 99)]),
        ),
      }));
      await database.collection(this.name).insertMany(games);
    },
  },
  twin: {
    name: 'games',
    async plant(database) {
      const random = new SeededRandom(5);
      const games = Array.from({ length: GAMES }, (_, index) => ({
        title: `game ${index}`,
        scores: Array.from({ length: 12 }, () => ({
          player: `player${random.between(1, PLAYERS)}`,
          points: random.between(0, 99),
        })),
      }));
      await database.collection(this.name).createIndex({ 'scores.player': 1, 'scores.points': 1 });
      await database.collection(this.name).insertMany(games);
    },
  },
};
