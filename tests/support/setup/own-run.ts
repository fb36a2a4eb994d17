// A test may start Vitest itself. This run's environment variables must not affect that inner run.
for (const name of ['KERF_TEST_CHOICE', 'KERF_TEST_REPORT', 'KERF_TEST_LIMIT_SECONDS']) delete process.env[name]
