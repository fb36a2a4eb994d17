import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@kerf/control-plane'
import { expect, test } from 'vitest'
import { alertsFile, fires } from './monitoring-files.ts'

const env = { PATH: process.env['PATH'] ?? '' }

test('alert rules are silent if nothing is wrong, and each fires for its fault', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-alerts-'))
  try {
    const file = join(directory, 'tests.yaml')
    writeFileSync(file, readFileSync(fires, 'utf8').replace('RULES', alertsFile))
    const { code, stdout, stderr } = await runProgram('promtool', ['test', 'rules', file], env)
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
