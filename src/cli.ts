#!/usr/bin/env node
import { prepareLoading } from './cli/module-loading.js';

prepareLoading(process.argv);
const { main } = await import('./cli/main.js');
await main(process);
