import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { UsageError } from '@kerf/provider-kit/command-line'
import { expect, onTestFinished, test } from 'vitest'
import { builtInRoles } from '../roles/built-in-roles.ts'
import { type RolesOptions, runRoles } from './run-roles.ts'

const SUBSCRIPTION = '11111111-1111-1111-1111-111111111111'
const PRINCIPAL = '22222222-2222-2222-2222-222222222222'
const NODES = `/subscriptions/${SUBSCRIPTION}/resourceGroups/MC_demo`
const SUBNET = `/subscriptions/${SUBSCRIPTION}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes`
const ENCRYPTION_SET = `/subscriptions/${SUBSCRIPTION}/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/own`

const run = async (
  options: Partial<RolesOptions>,
  env: Readonly<Record<string, string>> = { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION, AZURE_NODE_RESOURCE_GROUP: 'MC_demo' },
) => {
  let text = ''
  const status = await runRoles(
    {
      ...{ vnetSubnetId: [], nodeOsdiskDiskencryptionsetId: '', sigSubscriptionId: '', provisionMode: 'aksscriptless' },
      ...options,
    },
    { stdout: { write: (part) => (text += part) }, env },
  )
  return { status, text }
}

const directory = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'kerf-azure-roles-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const full = { vnetSubnetId: [SUBNET], nodeOsdiskDiskencryptionsetId: ENCRYPTION_SET, nodeIdentities: true } as const
const { virtualMachineContributor, networkContributor, managedIdentityOperator, reader } = builtInRoles
const expected = [
  [virtualMachineContributor.id, NODES],
  [networkContributor.id, NODES],
  [managedIdentityOperator.id, NODES],
  [networkContributor.id, SUBNET],
  [reader.id, ENCRYPTION_SET],
]

test('the commands, run by a shell, make the described role assignments', async () => {
  const bin = directory()
  const calls = join(bin, 'calls')
  writeFileSync(join(bin, 'az'), `#!/bin/sh\nprintf '%s|' "$@" >> '${calls}'\necho >> '${calls}'\n`, { mode: 0o755 })
  const { text } = await run({ ...full, output: 'az' })
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` }
  execFileSync('bash', ['-c', text], { env: { ...env, PRINCIPAL_ID: PRINCIPAL } })
  const made = readFileSync(calls, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|'))
  expect(made.map((call) => [call[8], call[10]])).toEqual(expected)
  expect(made[0]?.slice(0, 8)).toEqual([
    ...['role', 'assignment', 'create', '--assignee-object-id', PRINCIPAL],
    ...['--assignee-principal-type', 'ServicePrincipal', '--role'],
  ])
  // Without an identity, the commands assign nothing.
  expect(() => execFileSync('bash', ['-c', text], { env, stdio: 'pipe' })).toThrow(
    'object ID of the controller identity',
  )
})

test('Terraform and the JSON list make the same assignments', async () => {
  const terraform = JSON.parse((await run({ ...full, output: 'terraform', principalId: PRINCIPAL })).text)
  const assigned: readonly { role_definition_name: string; scope: string }[] = Object.values(
    terraform.resource.azurerm_role_assignment,
  )
  const idOf = (name: string) => Object.values(builtInRoles).find((role) => role.name === name)?.id
  expect(assigned.map(({ role_definition_name, scope }) => [idOf(role_definition_name), scope])).toEqual(expected)
  expect(terraform.variable.principal_id.default).toBe(PRINCIPAL)
  const listed: readonly { id: string; scope: string }[] = JSON.parse((await run({ ...full, output: 'json' })).text)
  expect(listed.map(({ id, scope }) => [id, scope])).toEqual(expected)
})

test('Bicep has a file for each resource group, and assigns roles on existing resources', async () => {
  const { text } = await run({ ...full, output: 'bicep' })
  const files = text.split(/^(?=\/\/ karpenter-roles-\d)/m)
  expect(files.map((file) => /--resource-group (\S+)/.exec(file)?.[1])).toEqual(['MC_demo', 'net', 'keys'])
  expect(files.map((file) => file.match(/roleAssignments@/g)?.length)).toEqual([3, 1, 1])
  expect(files[1]).toContain(`resource on0_1 'Microsoft.Network/virtualNetworks/subnets@2024-05-01' existing = {
  parent: on0_0
  name: 'nodes'
}`)
  expect(files[1]).toContain('  scope: on0_1\n  name: guid(on0_1.id, principalId,')
  expect(files[2]).toContain("resource on0_0 'Microsoft.Compute/diskEncryptionSets@")
  // Each symbol in a file is declared once in that file.
  for (const file of files) {
    const declared = [...file.matchAll(/^resource (\S+)/gm)].map(([, name]) => name)
    expect(new Set(declared).size).toBe(declared.length)
    for (const [, used] of file.matchAll(/(?:parent|scope): (\S+)/g)) expect(declared).toContain(used)
  }
})

test('machine mode needs roles on the cluster’s resource group and the shared galleries', async () => {
  const machines = { provisionMode: 'aksmachineapi' } as const
  await expect(run(machines)).rejects.toThrow('set --resource-group or ARM_RESOURCE_GROUP')
  await expect(run({ ...machines, resourceGroup: 'demo' })).rejects.toThrow('--sig-subscription-id')
  const { text } = await run({ ...machines, resourceGroup: 'demo', sigSubscriptionId: PRINCIPAL, output: 'table' })
  expect(text).toContain(
    `/subscriptions/${PRINCIPAL}/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu`,
  )
  expect(text).toContain('Azure Kubernetes Service Contributor Role')
  expect(text).toContain('Not checked: Microsoft.Compute/skus/read')
})

test.each<readonly [Partial<RolesOptions>, Readonly<Record<string, string>> | undefined, string]>([
  [{}, {}, 'the subscription is unknown: set --subscription or AZURE_SUBSCRIPTION_ID'],
  [{ subscription: 'mine' }, {}, '--subscription "mine" is not a valid Azure subscription'],
  [{ subscription: SUBSCRIPTION }, {}, 'set --node-resource-group'],
  [{ nodeResourceGroup: 'ends.with.' }, undefined, '--node-resource-group "ends.with."'],
  [{ vnetSubnetId: ['subnet'] }, undefined, '--vnet-subnet-id "subnet" is not a valid resource ID of a subnet'],
  [{ nodeOsdiskDiskencryptionsetId: 'own' }, undefined, 'not a valid resource ID of a disk encryption set'],
  [{ principalId: 'me' }, undefined, 'az identity show'],
  [{ check: '/no/such/file' }, undefined, 'no such file'],
])('%j: %s', async (options, env, problem) => {
  await expect(run(options, env)).rejects.toThrow(UsageError)
  await expect(run(options, env)).rejects.toThrow(problem)
})

test('a check names what is missing, and exits with 3', async () => {
  const file = join(directory(), 'roles.json')
  writeFileSync(
    file,
    JSON.stringify([{ permissions: [{ actions: virtualMachineContributor.actions, notActions: [] }] }]),
  )
  const lacking = await run({ check: file })
  expect(lacking.status).toBe(3)
  expect(lacking.text).toContain(
    'Microsoft.Network/virtualNetworks/subnets/read  read and join the subnet of the nodes',
  )
  writeFileSync(
    file,
    JSON.stringify([{ actions: virtualMachineContributor.actions }, { actions: networkContributor.actions }]),
  )
  expect(await run({ check: file })).toMatchObject({ status: 0, text: expect.stringContaining('Nothing is missing.') })
  expect(JSON.parse((await run({ check: file, output: 'json', nodeIdentities: true })).text)).toMatchObject({
    missing: [{ action: 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action' }],
  })
  writeFileSync(file, 'roles')
  await expect(run({ check: file })).rejects.toThrow(`${file}: not role definitions: it is not JSON`)
})
