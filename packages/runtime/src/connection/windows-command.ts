import { existsSync } from 'node:fs'
import { win32 } from 'node:path'

/** A program to start. `isVerbatim` is true if `args` is a complete command line, which must not be escaped again. */
export interface StartedCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly isVerbatim: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns an environment variable. On Windows, the names of variables are case-insensitive. */
const variable = (env: Environment, name: string): string | undefined =>
  Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1]

const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'

/** Finds a command like Go's `exec.LookPath` on Windows: tries each extension in PATHEXT, in each folder in PATH. */
const locate = (command: string, env: Environment, exists: (path: string) => boolean): string | undefined => {
  const extensions = (variable(env, 'PATHEXT') || DEFAULT_EXTENSIONS).split(';').filter((each) => each !== '')
  const hasExtension = extensions.some((each) => command.toLowerCase().endsWith(each.toLowerCase()))
  const names = hasExtension ? [command] : extensions.map((each) => `${command}${each.toLowerCase()}`)
  const folders = /[\\/:]/.test(command) ? [''] : (variable(env, 'PATH') ?? '').split(';').filter((each) => each !== '')
  return folders
    .flatMap((folder) => names.map((name) => (folder === '' ? name : win32.join(folder, name))))
    .find((path) => exists(path))
}

const META = /([()\][%!^"`<>&|;, *?])/g

/**
 * Escapes an argument for `cmd.exe` and for the argument parser of the program (https://qntm.org/cmd). `cmd.exe` parses batch files twice,
 * so this function escapes twice.
 */
const quoted = (arg: string): string => {
  const doubled = arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')
  return `"${doubled}"`.replaceAll(META, '^$1').replaceAll(META, '^$1')
}

/**
 * Returns the program and the arguments that start a command on Windows. Node can start only `.exe` files there, so batch files such as
 * `gcloud.cmd` are started with `cmd.exe`, as in Go and kubectl. If the command is not found, returns it unchanged.
 */
export const windowsCommand = (
  command: string,
  args: readonly string[],
  env: Environment,
  exists: (path: string) => boolean = existsSync,
): StartedCommand => {
  const path = locate(command, env, exists)
  if (path === undefined || !/\.(?:bat|cmd)$/i.test(path)) return { file: path ?? command, args, isVerbatim: false }
  const line = [win32.normalize(path).replaceAll(META, '^$1'), ...args.map(quoted)].join(' ')
  return { file: variable(env, 'COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true }
}
