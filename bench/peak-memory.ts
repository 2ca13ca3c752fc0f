/** Imported into a measured process (`node --import`): tells its parent the peak of its resident memory when it ends. */
process.on('exit', () => {
  // maxRSS is in KB.
  process.send?.({ peakBytes: process.resourceUsage().maxRSS * 1024 });
});
