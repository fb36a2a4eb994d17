import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../tools/source-files.ts'
import { SUITES } from '../suites.ts'

test.each(SUITES.map((suite) => [suite.name, suite] as const))('%s lists only existing tests', (_, suite) => {
  const named = [...suite.files, ...(suite.except ?? []), ...suite.inputs, ...suite.runs]
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
