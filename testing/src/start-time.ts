/** When every object of a builder was created and its conditions last changed, unless the test says otherwise. */
export const START_TIME = '2026-01-01T00:00:00Z'
