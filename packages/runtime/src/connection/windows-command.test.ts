import { expect, test } from 'vitest'
import { windowsCommand } from './windows-command.ts'

const env = { Path: 'C:\\tools;C:\\Google Cloud\\bin', PATHEXT: '.EXE;.CMD;.BAT', ComSpec: 'C:\\Windows\\cmd.exe' }
const files = ['C:\\tools\\cloud.exe', 'C:\\Google Cloud\\bin\\gcloud.cmd', 'C:\\kube\\plugin.bat']
const start = (command: string, ...args: readonly string[]) =>
  windowsCommand(command, args, env, (path) => files.includes(path))

test('finds a program by the extensions of PATHEXT, and starts it directly', () => {
  expect(start('cloud', 'token')).toEqual({ file: 'C:\\tools\\cloud.exe', args: ['token'], isVerbatim: false })
  expect(start('cloud.exe').file).toBe('C:\\tools\\cloud.exe')
  const unset = windowsCommand('cloud', [], { PATH: 'C:\\tools' }, (path) => files.includes(path))
  expect(unset.file).toBe('C:\\tools\\cloud.exe')
  expect(start('nowhere')).toEqual({ file: 'nowhere', args: [], isVerbatim: false })
})

test('starts a batch file with cmd.exe, and escapes the arguments', () => {
  expect(start('gcloud', 'config', 'a b&c', '%PATH%')).toEqual({
    file: 'C:\\Windows\\cmd.exe',
    args: [
      '/d',
      '/s',
      '/c',
      '"C:\\Google^ Cloud\\bin\\gcloud.cmd ^^^"config^^^" ^^^"a^^^ b^^^&c^^^" ^^^"^^^%PATH^^^%^^^""',
    ],
    isVerbatim: true,
  })
})

test('keeps quotes, and backslashes at the end of an argument', () => {
  expect(start('gcloud', 'a"b', 'C:\\d\\').args.at(-1)).toBe(
    '"C:\\Google^ Cloud\\bin\\gcloud.cmd ^^^"a\\^^^"b^^^" ^^^"C:\\d\\\\^^^""',
  )
})

test('uses a path without a search', () => {
  expect(start('C:\\kube\\plugin').args.at(-1)).toBe('"C:\\kube\\plugin.bat"')
  expect(start('C:\\kube\\plugin.exe').file).toBe('C:\\kube\\plugin.exe')
})
