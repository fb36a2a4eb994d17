import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@kerf/provider-kit/command-line'
import { expect, onTestFinished, test } from 'vitest'
import { neededRamActions } from '../ram/ram-actions.ts'
import { controllerPolicy } from '../ram/ram-policy.ts'
import { type RolesOptions, runRoles } from './run-roles.ts'

const CLUSTER_ID = 'c0123456789abcdef0123456789abcdef'
const target = { clusterId: CLUSTER_ID, account: '1234567890123456', region: 'cn-hangzhou' }

const run = async (options: Partial<RolesOptions>, env: Readonly<Record<string, string>> = {}) => {
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const status = await runRoles({ namespace: 'kube-system', serviceAccount: 'karpenter', ...options }, { stdout, env })
  return { status, text }
}

const fileWith = (content: unknown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-ram-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'policy.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('only the service account of the controller may assume the role', async () => {
  const { text } = await run({ ...target, output: 'json' })
  const { roleName, trustPolicy } = JSON.parse(text)
  expect(roleName).toBe(`karpenter-${CLUSTER_ID}`)
  expect(trustPolicy.Statement[0]).toMatchObject({
    Principal: { Federated: [`acs:ram::1234567890123456:oidc-provider/ack-rrsa-${CLUSTER_ID}`] },
    Condition: {
      StringEquals: {
        'oidc:iss': `https://oidc-ack-cn-hangzhou.oss-cn-hangzhou.aliyuncs.com/${CLUSTER_ID}`,
        'oidc:sub': 'system:serviceaccount:kube-system:karpenter',
      },
    },
  })
})

test('the CLI commands and the Terraform module have the same policies', async () => {
  const policy = JSON.stringify(controllerPolicy())
  const { text: commands } = await run(target)
  const written = [...commands.matchAll(/Document '(.*)'/g)].map(([, document = '']) => document)
  const module = JSON.parse((await run({ ...target, output: 'terraform' })).text)
  const { policy_document: inModule } = module.resource.alicloud_ram_policy.controller
  const { assume_role_policy_document: trust } = module.resource.alicloud_ram_role.controller
  expect([written, inModule]).toEqual([[policy, trust], policy])
})

test('the printed policy lacks nothing; each missing action is listed with what fails without it', async () => {
  expect(await run({ check: fileWith(controllerPolicy()) })).toMatchObject({
    status: 0,
    text: expect.stringContaining('Nothing is missing.'),
  })
  const some = { Version: '1', Statement: [{ Effect: 'Allow', Action: ['ecs:Describe*', 'oss:*'], Resource: '*' }] }
  const { status, text } = await run({ check: fileWith(some), output: 'json' })
  const report = JSON.parse(text)
  expect([status, report.unused]).toEqual([3, ['oss:*']])
  expect(report.missing).toContainEqual({ action: 'ecs:DeleteInstance', capabilities: ['instances'], denied: false })
  expect(report.missing.map(({ action }: { readonly action: string }) => action)).toEqual(
    [...neededRamActions().keys()].filter((action) => !action.startsWith('ecs:Describe')),
  )
})

test('the output of GetPolicy is also accepted, and a Deny statement takes effect', async () => {
  const denied = { Effect: 'Deny', Action: 'ecs:AddTags', Resource: '*' }
  const policy = { ...controllerPolicy(), Statement: [...controllerPolicy().Statement, denied] }
  const answer = { DefaultPolicyVersion: { PolicyDocument: JSON.stringify(policy) } }
  const { status, text } = await run({ check: fileWith(answer) })
  expect([status, text]).toEqual([3, expect.stringContaining('(denied)')])
})

test.each<readonly [Partial<RolesOptions>, string]>([
  [{}, 'the cluster ID is unknown: set --cluster-id or CLUSTER_ID'],
  [{ ...target, clusterId: 'demo' }, '--cluster-id "demo" is not a valid cluster ID'],
  [{ clusterId: CLUSTER_ID }, 'the issuer of the cluster is unknown: set --region'],
  [{ ...target, account: '' }, 'aliyun sts GetCallerIdentity'],
  [{ ...target, roleName: 'a/b' }, '--role-name "a/b" is not a valid name of a role'],
  [{ check: '/no/such/file' }, 'no such file'],
])('%j: %s', async (options, problem) => {
  await expect(run(options)).rejects.toThrow(UsageError)
  await expect(run(options)).rejects.toThrow(problem)
})

test.each([
  ['policy', 'it is not JSON'],
  [{}, 'it has no Statement'],
  [{ Statement: [{ Effect: 'Maybe', Action: '*', Resource: '*' }] }, 'Statement[0].Effect must be Allow or Deny'],
])('%j is not a policy', async (content, problem) => {
  await expect(run({ check: fileWith(content) })).rejects.toThrow(`not a RAM policy: ${problem}`)
})
