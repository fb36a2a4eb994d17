import { readFile } from 'node:fs/promises'
import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import { decodeText } from '@kerf/runtime'
import { builtInRoles } from '../roles/built-in-roles.ts'
import { checkRoles, RoleFileError } from '../roles/check-roles.ts'
import { azureCapabilities, type UsedCapabilities } from '../roles/needed-actions.ts'
import { type RoleTarget, roleAssignments } from '../roles/role-assignments.ts'
import { ENCRYPTION_SET, GROUP, given, matching, SUBNET, UUID } from '../settings/flag-values.ts'
import { bicepFiles } from './role-bicep.ts'
import { azCommands } from './role-commands.ts'
import { terraformRoles } from './role-terraform.ts'

export interface RolesOptions {
  readonly subscription?: string
  readonly resourceGroup?: string
  readonly nodeResourceGroup?: string
  readonly principalId?: string
  readonly vnetSubnetId: readonly string[]
  readonly nodeOsdiskDiskencryptionsetId: string
  readonly nodeIdentities?: boolean
  readonly sigSubscriptionId: string
  readonly provisionMode: 'aksscriptless' | 'aksmachineapi'
  readonly check?: string
  readonly output?: 'az' | 'bicep' | 'terraform' | 'table' | 'json'
}

type RolesStreams = Pick<VerbStreams, 'stdout' | 'env'>

const usedOf = (options: RolesOptions): UsedCapabilities => ({
  hasIdentities: options.nodeIdentities ?? false,
  hasEncryptionSet: options.nodeOsdiskDiskencryptionsetId !== '',
  useSIG: options.sigSubscriptionId !== '' || options.provisionMode === 'aksmachineapi',
  isMachineMode: options.provisionMode === 'aksmachineapi',
})

const targetOf = (options: RolesOptions, env: RolesStreams['env']): RoleTarget => {
  const used = usedOf(options)
  const ofEnv = env['VNET_SUBNET_ID'] ?? ''
  const subnets = options.vnetSubnetId.length > 0 || ofEnv === '' ? options.vnetSubnetId : [ofEnv]
  const subscription = given(
    ...([options.subscription ?? env['AZURE_SUBSCRIPTION_ID'], 'subscription', '--subscription'] as const),
    ...(['AZURE_SUBSCRIPTION_ID', UUID] as const),
  )
  const nodeResourceGroup = given(
    ...([options.nodeResourceGroup ?? env['AZURE_NODE_RESOURCE_GROUP'], 'resource group of the nodes'] as const),
    ...(['--node-resource-group', 'AZURE_NODE_RESOURCE_GROUP', GROUP] as const),
  )
  // Only machine mode needs a role on the cluster's own resource group.
  const resourceGroup = used.isMachineMode
    ? given(
        ...([options.resourceGroup ?? env['ARM_RESOURCE_GROUP'], 'resource group of the cluster'] as const),
        ...(['--resource-group', 'ARM_RESOURCE_GROUP', GROUP] as const),
      )
    : ''
  if (used.useSIG && options.sigSubscriptionId === '')
    throw new UsageError('machines of a pool need the shared galleries: set --sig-subscription-id')
  return {
    ...used,
    ...{ subscription, resourceGroup, nodeResourceGroup },
    subnetIds: subnets.map((id) => matching(id, '--vnet-subnet-id', 'resource ID of a subnet', SUBNET)),
    encryptionSetId: matching(
      options.nodeOsdiskDiskencryptionsetId,
      '--node-osdisk-diskencryptionset-id',
      'resource ID of a disk encryption set',
      ENCRYPTION_SET,
    ),
    sigSubscription: matching(options.sigSubscriptionId, '--sig-subscription-id', 'ID of a subscription', UUID),
  }
}

/** Text about a permission that the command does not check, because every identity with a role in the subscription seems to have it. */
const NOT_LOOKED_AT =
  'Not checked: Microsoft.Compute/skus/read, which lists VM sizes. Any role in the subscription allows it; if the identity has none, assign Reader on the subscription.'

const readRoles = async (file: string): Promise<string> => {
  try {
    return decodeText(await readFile(file))
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'no such file' : String(error)
    throw new UsageError(`${file}: ${reason}; use the output of "az role definition list --name ROLE"`)
  }
}

const check = async (file: string, options: RolesOptions, { stdout }: RolesStreams): Promise<0 | 3> => {
  const text = await readRoles(file)
  const report = (() => {
    try {
      return checkRoles(text, usedOf(options))
    } catch (error) {
      if (error instanceof RoleFileError) throw new UsageError(`${file}: ${error.message}`, { cause: error })
      throw error
    }
  })()
  if (options.output === 'json') stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const rows = table(
      report.missing,
      [
        { title: 'MISSING', value: ({ action }) => action },
        {
          title: 'WITHOUT IT KERF CANNOT',
          value: ({ capabilities }) => capabilities.map((name) => azureCapabilities[name]).join('; '),
        },
      ],
      terminalWidth(stdout),
    )
    const lines = [...(report.missing.length === 0 ? ['Nothing is missing.'] : rows), '', NOT_LOOKED_AT]
    stdout.write(`${lines.join('\n')}\n`)
  }
  return report.missing.length === 0 ? 0 : 3
}

/** Runs `kerf azure roles`. Prints the roles of the controller's identity, or with `--check` the missing actions (with exit code 3). */
export const runRoles = async (options: RolesOptions, streams: RolesStreams): Promise<0 | 3> => {
  if (options.check !== undefined) return check(options.check, options, streams)
  const assignments = roleAssignments(targetOf(options, streams.env))
  const { principalId } = options
  if (principalId !== undefined && !UUID.test(principalId))
    throw new UsageError(
      `--principal-id ${JSON.stringify(principalId)} is not an object ID; "az identity show --query principalId" prints it`,
    )
  const text = (): string => {
    switch (options.output ?? 'az') {
      case 'az':
        return azCommands(assignments, principalId)
      case 'bicep':
        return bicepFiles(assignments, principalId)
      case 'terraform':
        return terraformRoles(assignments, principalId)
      case 'json':
        return `${JSON.stringify(
          assignments.map(({ role, ...rest }) => ({ ...builtInRoles[role], ...rest })),
          null,
          2,
        )}\n`
      case 'table':
        return `${[
          ...table(
            assignments,
            [
              { title: 'ROLE', value: ({ role }) => builtInRoles[role].name },
              { title: 'SCOPE', value: ({ scope }) => scope },
              {
                title: 'TO',
                value: ({ capabilities }) => capabilities.map((name) => azureCapabilities[name]).join('; '),
              },
            ],
            terminalWidth(streams.stdout),
          ),
          '',
          NOT_LOOKED_AT,
        ].join('\n')}\n`
    }
  }
  streams.stdout.write(text())
  return 0
}
