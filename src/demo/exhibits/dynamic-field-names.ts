import type { Exhibit } from '../exhibit.js';
import { seededRandom, wholeBetween } from '../seeded-random.js';

const GAMES = 200;
const PLAYERS = 3_000;

export const dynamicFieldNames: Exhibit = {
  check: 'dynamic-field-names',
  story: "scores under the players' names / scores as an array of player and points",
  bad: {
    name: 'games_by_player_name',
    path: 'scores',
    async plant(database) {
      const random = seededRandom(5);
      const games = Array.from({ length: GAMES }, (_, index) => ({
        title: `game ${index}`,
        scores: Object.fromEntries(
          Array.from({ length: 12 }, () => [`player${wholeBetween(random, 1, PLAYERS)}`, wholeBetween(random, 0, 99)]),
        ),
      }));
      await database.collection(this.name).insertMany(games);
    },
  },
  twin: {
    name: 'games',
    async plant(database) {
      const random = seededRandom(5);
      const games = Array.from({ length: GAMES }, (_, index) => ({
        title: `game ${index}`,
        scores: Array.from({ length: 12 }, () => ({
          player: `player${wholeBetween(random, 1, PLAYERS)}`,
          points: wholeBetween(random, 0, 99),
        })),
      }));
      await database.collection(this.name).createIndex({ 'scores.player': 1, 'scores.points': 1 });
      await database.collection(this.name).insertMany(games);
    },
  },
};
