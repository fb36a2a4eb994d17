// A test may start a Vitest of its own. What describes this run is not for that one.
for (const name of ['KERF_TEST_CHOICE', 'KERF_TEST_REPORT', 'KERF_TEST_LIMIT_SECONDS']) delete process.env[name]
