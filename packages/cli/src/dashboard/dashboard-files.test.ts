import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtIn } from './dashboard-files.ts'

test('a built dashboard next to the bundle is used if it is complete', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of ['frontend/index.html', 'plugin/main.js', 'frontend/icons/icons.json']) {
    expect(builtIn(folder)).toBeUndefined()
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  expect(builtIn(folder)).toEqual({
    frontend: join(folder, 'frontend'),
    plugin: join(folder, 'plugin'),
    icons: join(folder, 'frontend/icons'),
  })
})
