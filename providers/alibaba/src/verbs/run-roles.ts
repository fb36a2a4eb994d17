import { readFile } from 'node:fs/promises'
import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import { checkPolicy, PolicyFileError } from '../ram/check-policy.ts'
import { alibabaCapabilities, ramStatements } from '../ram/ram-actions.ts'
import { controllerPolicy, type TrustedPod, trustPolicy } from '../ram/ram-policy.ts'
import { cliCommands, terraformRole } from './role-forms.ts'

export interface RolesOptions {
  readonly clusterId?: string
  readonly account?: string
  readonly region?: string
  readonly oidcIssuer?: string
  readonly namespace: string
  readonly serviceAccount: string
  readonly roleName?: string
  readonly check?: string
  readonly output?: 'aliyun' | 'terraform' | 'json' | 'table'
}

type RolesStreams = Pick<VerbStreams, 'stdout' | 'env'>

const CLUSTER_ID = /^c[0-9a-z]{8,}$/
const ACCOUNT = /^\d{6,20}$/
const ROLE_NAME = /^[A-Za-z0-9.-]{1,64}$/

const needed = (value: string | undefined, flag: string, pattern: RegExp, what: string, from: string): string => {
  if (value === undefined || value === '') throw new UsageError(`the ${what} is unknown: set ${flag}${from}`)
  if (!pattern.test(value)) throw new UsageError(`${flag} ${JSON.stringify(value)} is not a valid ${what}`)
  return value
}

const trustedPod = (options: RolesOptions, env: RolesStreams['env']): TrustedPod => {
  const clusterId = needed(
    ...([options.clusterId ?? env['CLUSTER_ID'], '--cluster-id', CLUSTER_ID] as const),
    ...(['cluster ID', ' or CLUSTER_ID'] as const),
  )
  const region = options.region ?? env['REGION_ID'] ?? ''
  if (options.oidcIssuer === undefined && region === '')
    throw new UsageError('the issuer of the cluster is unknown: set --region, REGION_ID or --oidc-issuer')
  return {
    clusterId,
    accountId: needed(
      ...([options.account, '--account', ACCOUNT, 'account ID'] as const),
      '; "aliyun sts GetCallerIdentity" prints it',
    ),
    issuer: options.oidcIssuer ?? `https://oidc-ack-${region}.oss-${region}.aliyuncs.com/${clusterId}`,
    namespace: options.namespace,
    serviceAccount: options.serviceAccount,
  }
}

const check = async (file: string, output: RolesOptions['output'], { stdout }: RolesStreams): Promise<0 | 3> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'no such file' : String(error)
    throw new UsageError(`${file}: ${reason}; use a file with a RAM policy in JSON`)
  })
  const report = (() => {
    try {
      return checkPolicy(text)
    } catch (error) {
      if (error instanceof PolicyFileError) throw new UsageError(`${file}: ${error.message}`, { cause: error })
      throw error
    }
  })()
  if (output === 'json') stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const rows = table(
      report.missing,
      [
        { title: 'MISSING', value: ({ action }) => action },
        {
          title: 'WITHOUT IT KERF CANNOT',
          value: ({ capabilities, denied }) =>
            `${capabilities.map((name) => alibabaCapabilities[name]).join('; ')}${denied ? ' (denied)' : ''}`,
        },
      ],
      terminalWidth(stdout),
    )
    const lines = [
      ...(report.missing.length === 0 ? ['Nothing is missing.'] : rows),
      ...(report.limited.length === 0
        ? []
        : ['', `Only for some resources or under conditions: ${report.limited.join(', ')}`]),
      ...(report.unused.length === 0 ? [] : ['', `Never used: ${report.unused.join(', ')}`]),
    ]
    stdout.write(`${lines.join('\n')}\n`)
  }
  return report.missing.length === 0 ? 0 : 3
}

/**
 * Runs `kerf alibaba roles`: prints the role of the controller, or, with `--check`, the actions that are missing from a policy. The exit
 * code is 3 if any are missing.
 */
export const runRoles = async (options: RolesOptions, streams: RolesStreams): Promise<0 | 3> => {
  if (options.check !== undefined) return check(options.check, options.output, streams)
  const { output = 'aliyun' } = options
  if (output === 'table') {
    const rows = ramStatements().flatMap(({ capability, actions }) => actions.map((action) => ({ capability, action })))
    const lines = table(
      rows,
      [
        { title: 'ACTION', value: ({ action }) => action },
        { title: 'TO', value: ({ capability }) => alibabaCapabilities[capability] },
      ],
      terminalWidth(streams.stdout),
    )
    streams.stdout.write(`${lines.join('\n')}\n`)
    return 0
  }
  const pod = trustedPod(options, streams.env)
  const name = needed(options.roleName ?? `karpenter-${pod.clusterId}`, '--role-name', ROLE_NAME, 'name of a role', '')
  const text = (): string => {
    switch (output) {
      case 'aliyun':
        return cliCommands(name, pod)
      case 'terraform':
        return terraformRole(name, pod)
      case 'json':
        return `${JSON.stringify({ roleName: name, policy: controllerPolicy(), trustPolicy: trustPolicy(pod) }, null, 2)}\n`
    }
  }
  streams.stdout.write(text())
  return 0
}
