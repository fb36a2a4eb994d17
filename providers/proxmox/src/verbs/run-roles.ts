import { readFile } from 'node:fs/promises'
import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { isLoose } from '@kerf/provider-kit/documents'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import type { Privileges } from '../api/proxmox-api.ts'
import { checkPrivileges } from '../privileges/check-privileges.ts'
import { neededPrivileges, type OptionalCapability, proxmoxCapabilities } from '../privileges/needed-privileges.ts'
import { pathRoles, roleCommands } from './role-commands.ts'

export interface RolesOptions {
  readonly user: string
  readonly token: string
  readonly role: string
  readonly check?: string
  /** The capabilities that the cluster does not use. */
  readonly without?: readonly OptionalCapability[]
  readonly output: 'pveum' | 'json' | 'table'
}

type RolesStreams = Pick<VerbStreams, 'stdout'>

const USER = /^[^\s:/'@]+@[A-Za-z][A-Za-z0-9._-]*$/
const NAME = /^[A-Za-z][A-Za-z0-9._-]*$/

const validNames = ({ user, token, role }: RolesOptions): RolesOptions['role'] => {
  if (!USER.test(user)) throw new UsageError(`--user ${JSON.stringify(user)} is not a user such as kerf@pve`)
  for (const [flag, value] of [
    ['--token', token],
    ['--role', role],
  ] as const)
    if (!NAME.test(value)) throw new UsageError(`${flag} ${JSON.stringify(value)} must begin with a letter`)
  return role
}

/** Reads the output of `pveum user permissions`, or a response of the API. */
const readPrivileges = async (file: string): Promise<Privileges> => {
  const problem = (reason: string): UsageError =>
    new UsageError(`${file}: ${reason}; use the output of "pveum user permissions kerf@pve --output-format json"`)
  let document: unknown
  try {
    document = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw problem(error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read')
  }
  const paths = isLoose(document) && isLoose(document['data']) ? document['data'] : document
  if (!isLoose(paths) || !Object.entries(paths).every(([path, at]) => path.startsWith('/') && isLoose(at)))
    throw problem('it has no paths with privileges')
  // Each value has been checked to be a map.
  return paths as Privileges
}

const check = async (file: string, { output, without }: RolesOptions, { stdout }: RolesStreams): Promise<0 | 3> => {
  const report = checkPrivileges(await readPrivileges(file), without)
  if (output === 'json') stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const rows = table(
      report.missing,
      [
        { title: 'MISSING', value: ({ privilege, path }) => `${privilege} on ${path}` },
        { title: 'WITHOUT IT KERF CANNOT', value: ({ capability }) => proxmoxCapabilities[capability] },
      ],
      terminalWidth(stdout),
    )
    stdout.write(`${(report.missing.length === 0 ? ['Nothing is missing.'] : rows).join('\n')}\n`)
  }
  return report.missing.length === 0 ? 0 : 3
}

/**
 * Runs `kerf proxmox roles`: prints the roles of the controller, or, with `--check`, the privileges that are missing from a token. The exit
 * code is 3 if any are missing.
 */
export const runRoles = async (options: RolesOptions, streams: RolesStreams): Promise<0 | 3> => {
  if (options.check !== undefined) return check(options.check, options, streams)
  const role = validNames(options)
  switch (options.output) {
    case 'pveum':
      streams.stdout.write(roleCommands(options))
      break
    case 'json':
      streams.stdout.write(`${JSON.stringify({ roles: pathRoles(role, options.without) }, null, 2)}\n`)
      break
    case 'table': {
      const rows = table(
        neededPrivileges(options.without),
        [
          { title: 'PATH', value: ({ path }) => path },
          { title: 'PRIVILEGE', value: ({ privilege }) => privilege },
          { title: 'TO', value: ({ capability }) => proxmoxCapabilities[capability] },
        ],
        terminalWidth(streams.stdout),
      )
      streams.stdout.write(`${rows.join('\n')}\n`)
    }
  }
  return 0
}
