/** The default of `--vm-memory-overhead-percent` on Google Cloud, as a fraction of the memory. */
export const MEMORY_OVERHEAD = 0.07
