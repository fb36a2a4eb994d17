import { existsSync } from 'node:fs'
import { win32 } from 'node:path'

/** What to start, and whether `args` are a finished command line. */
export interface StartedCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly isVerbatim: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Windows does not tell capitals in the names of variables. */
const variable = (env: Environment, name: string): string | undefined =>
  Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1]

const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'

/** Looks a command up as Go's `exec.LookPath` does on Windows: with each extension of PATHEXT, in each folder of PATH. */
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

/** An argument as `cmd.exe` and then a program's own parser read it (https://qntm.org/cmd). Batch files are parsed twice. */
const quoted = (arg: string): string => {
  const doubled = arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')
  return `"${doubled}"`.replaceAll(META, '^$1').replaceAll(META, '^$1')
}

/**
 * Returns how to start a command on Windows, where Node starts `.exe` files alone: batch files such as `gcloud.cmd` are started
 * by `cmd.exe`, as Go and therefore kubectl do. A command that is not found is returned as it is.
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
