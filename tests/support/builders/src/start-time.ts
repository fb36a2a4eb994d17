/** The default creation time of objects, and the default transition time of their conditions. */
export const START_TIME = '2026-01-01T00:00:00Z'
