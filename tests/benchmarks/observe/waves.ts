/** The number of pods over time. Each number applies from the fraction `share` of the total time onwards. */
export const WAVES: readonly (readonly [share: number, pods: number])[] = [
  [0, 60],
  [0.15, 180],
  [0.3, 300],
  [0.5, 80],
  [0.65, 300],
  [0.85, 40],
]
