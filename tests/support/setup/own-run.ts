// A test may start Vitest itself. The environment variables of this run must not affect that run.
for (const name of ['KERF_TEST_CHOICE', 'KERF_TEST_REPORT', 'KERF_TEST_LIMIT_SECONDS']) delete process.env[name]
