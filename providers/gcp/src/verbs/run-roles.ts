import { readFile } from 'node:fs/promises'
import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import { textOfThrown } from '@kerf/runtime'
import { stringify } from 'yaml'
import { checkRole, RoleFileError } from '../roles/check-role.ts'
import { controllerRole, type RoleTarget } from '../roles/controller-role.ts'
import { ACT_AS, gcpCapabilities, permissionStatements } from '../roles/needed-permissions.ts'
import { gcloudCommands, terraformRole } from './role-forms.ts'

export interface RolesOptions {
  readonly project?: string
  readonly clusterName?: string
  readonly roleId?: string
  readonly controllerAccount?: string
  readonly nodeServiceAccount?: string
  readonly networkProject?: string
  readonly namespace: string
  readonly serviceAccount: string
  readonly check?: string
  readonly output?: 'gcloud' | 'terraform' | 'yaml' | 'json' | 'table'
}

type RolesStreams = Pick<VerbStreams, 'stdout' | 'env'>

// The formats of project IDs, cluster names and role IDs (https://cloud.google.com/resource-manager/docs/creating-managing-projects and
// IAM's documentation).
const PROJECT = /^(?:[a-z][a-z0-9.-]*[a-z0-9]:)?[a-z][a-z0-9-]{0,28}[a-z0-9]$/
const CLUSTER = /^[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?$/
const ROLE_ID = /^[A-Za-z0-9_.]{3,64}$/
const ACCOUNT = /^[a-z](?:[-a-z0-9]{4,28}[a-z0-9])$/
const ADDRESS = /^[^@\s']+@[a-z0-9.-]+\.gserviceaccount\.com$/

const matching = (value: string, flag: string, pattern: RegExp, what: string): string => {
  if (pattern.test(value)) return value
  throw new UsageError(`${flag} ${JSON.stringify(value)} is not a valid ${what}`)
}

const given = (value: string | undefined, flag: string, variable: string, pattern: RegExp, what: string): string => {
  if (value === undefined || value === '') throw new UsageError(`the ${what} is unknown: set ${flag} or ${variable}`)
  return matching(value, flag, pattern, what)
}

const clusterOf = ({ clusterName }: RolesOptions, env: RolesStreams['env']): string =>
  given(clusterName ?? env['CLUSTER_NAME'], '--cluster-name', 'CLUSTER_NAME', CLUSTER, 'name of a GKE cluster')

/** Returns the default name of the service account. Such a name has at most 30 characters. */
const defaultAccount = (cluster: string): string => `karpenter-${cluster}`.slice(0, 30).replace(/-+$/, '')

const targetOf = (options: RolesOptions, env: RolesStreams['env']): RoleTarget => {
  const { nodeServiceAccount, networkProject, namespace, serviceAccount } = options
  const cluster = clusterOf(options, env)
  return {
    project: given(options.project ?? env['PROJECT_ID'], '--project', 'PROJECT_ID', PROJECT, 'project ID'),
    cluster,
    roleId: matching(
      ...([options.roleId ?? `karpenter_${cluster.replaceAll('-', '_')}`, '--role-id', ROLE_ID, 'role ID'] as const),
    ),
    account: matching(
      ...([options.controllerAccount ?? defaultAccount(cluster), '--controller-account', ACCOUNT] as const),
      'name of a service account',
    ),
    ...(nodeServiceAccount === undefined
      ? {}
      : { nodeAccount: matching(nodeServiceAccount, '--node-service-account', ADDRESS, 'service account') }),
    ...(networkProject === undefined
      ? {}
      : { networkProject: matching(networkProject, '--network-project', PROJECT, 'project ID') }),
    namespace,
    serviceAccount,
  }
}

const readRole = async (file: string) => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'no such file' : String(error)
    throw new UsageError(`${file}: ${reason}; use a file with the output of "gcloud iam roles describe"`)
  })
  try {
    return checkRole(text)
  } catch (error) {
    if (!(error instanceof RoleFileError)) throw error
    throw new UsageError(`${file}: ${textOfThrown(error)}`, { cause: error })
  }
}

const check = async (file: string, output: RolesOptions['output'], { stdout }: RolesStreams): Promise<0 | 3> => {
  const report = await readRole(file)
  if (output === 'json') stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const rows = table(
      report.missing,
      [
        { title: 'MISSING', value: ({ action }) => action },
        {
          title: 'WITHOUT IT KERF CANNOT',
          value: ({ capabilities }) => capabilities.map((name) => gcpCapabilities[name]).join('; '),
        },
      ],
      terminalWidth(stdout),
    )
    const lines = [
      ...(report.missing.length === 0 ? ['Nothing is missing.'] : rows),
      ...(report.unused.length === 0 ? [] : ['', `Never used: ${report.unused.join(', ')}`]),
      '',
      `Not checked: ${ACT_AS.permission} on the service account of the nodes, which ${ACT_AS.role} allows`,
    ]
    stdout.write(`${lines.join('\n')}\n`)
  }
  return report.missing.length === 0 ? 0 : 3
}

const permissionTable = (width: number): string => {
  const rows = permissionStatements().flatMap(({ capability, actions }) =>
    actions.map((action) => ({ capability, action })),
  )
  const lines = table(
    rows,
    [
      { title: 'PERMISSION', value: ({ action }) => action },
      { title: 'TO', value: ({ capability }) => gcpCapabilities[capability] },
    ],
    width,
  )
  return `${lines.join('\n')}\n`
}

/**
 * Runs `kerf gcp roles`: prints the role of the controller, or, with `--check`, the permissions that are missing from a role. The exit code
 * is 3 if any are missing.
 */
export const runRoles = async (options: RolesOptions, streams: RolesStreams): Promise<0 | 3> => {
  const { output = 'gcloud' } = options
  if (options.check !== undefined) return check(options.check, options.output, streams)
  const text = (): string => {
    switch (output) {
      case 'table':
        return permissionTable(terminalWidth(streams.stdout))
      case 'yaml':
        return stringify(controllerRole(clusterOf(options, streams.env)))
      case 'json':
        return `${JSON.stringify(controllerRole(clusterOf(options, streams.env)), null, 2)}\n`
      case 'gcloud':
        return gcloudCommands(targetOf(options, streams.env))
      case 'terraform':
        return terraformRole(targetOf(options, streams.env))
    }
  }
  streams.stdout.write(text())
  return 0
}
