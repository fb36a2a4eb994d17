import { expect, test } from 'vitest'
import { exportCommand } from './shell-word.ts'

test('sets a variable in the syntax of the system shell', () => {
  expect(exportCommand('KUBECONFIG', "/tmp/ada's/config", 'linux')).toBe(`export KUBECONFIG='/tmp/ada'\\''s/config'`)
  expect(exportCommand('KUBECONFIG', "C:\\ada's\\config", 'win32')).toBe(`$env:KUBECONFIG = 'C:\\ada''s\\config'`)
})
