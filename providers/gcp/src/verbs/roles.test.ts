import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { UsageError } from '@kerf/provider-kit/command-line'
import { expect, onTestFinished, test } from 'vitest'
import { controllerRole } from '../roles/controller-role.ts'
import { type RolesOptions, runRoles } from './run-roles.ts'

const target = {
  project: 'shop-1',
  clusterName: 'web-shop',
  nodeServiceAccount: 'nodes@shop-1.iam.gserviceaccount.com',
}

const run = async (options: Partial<RolesOptions>, env: Readonly<Record<string, string>> = {}) => {
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const status = await runRoles({ namespace: 'kube-system', serviceAccount: 'karpenter', ...options }, { stdout, env })
  return { status, text }
}

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'kerf-gcp-roles-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const CONTROLLER = 'karpenter-web-shop@shop-1.iam.gserviceaccount.com'
const MEMBER = `serviceAccount:${CONTROLLER}`
const PODS = 'serviceAccount:shop-1.svc.id.goog[kube-system/karpenter]'

/** Runs the commands with a gcloud that records its calls. `exists`: whether the resources already exist. */
const callsOf = (commands: string, exists: boolean): readonly (readonly string[])[] => {
  const bin = folder()
  const calls = join(bin, 'calls')
  const describe = `case "$*" in *" describe "*) ${exists ? 'echo 42; exit 0' : 'exit 1'} ;; esac`
  writeFileSync(join(bin, 'gcloud'), `#!/bin/sh\n${describe}\nprintf '%s|' "$@" >> '${calls}'\necho >> '${calls}'\n`, {
    mode: 0o755,
  })
  execFileSync('sh', ['-c', commands], { env: { PATH: `${bin}${delimiter}${process.env['PATH']}` } })
  return readFileSync(calls, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|'))
}

const valueAfter = (words: readonly string[], flag: string): string | undefined => words[words.indexOf(flag) + 1]

test('the commands, run by a shell, create role, account and bindings, and update an existing role', async () => {
  const { text } = await run({ ...target, networkProject: 'host-1' })
  const calls = callsOf(text, false)
  expect(calls.map((words) => words.slice(0, 4))).toEqual([
    ['iam', 'roles', 'create', 'karpenter_web_shop'],
    ['iam', 'service-accounts', 'create', 'karpenter-web-shop'],
    ['projects', 'add-iam-policy-binding', 'shop-1', '--member'],
    ['projects', 'add-iam-policy-binding', 'host-1', '--member'],
    ['iam', 'service-accounts', 'add-iam-policy-binding', target.nodeServiceAccount],
    ['iam', 'service-accounts', 'add-iam-policy-binding', CONTROLLER],
  ])
  expect(valueAfter(calls[0] ?? [], '--permissions')?.split(',')).toEqual(
    controllerRole('web-shop').includedPermissions,
  )
  expect(calls.slice(2).map((words) => [valueAfter(words, '--member'), valueAfter(words, '--role')])).toEqual([
    [MEMBER, 'projects/shop-1/roles/karpenter_web_shop'],
    [MEMBER, 'roles/compute.networkUser'],
    [MEMBER, 'roles/iam.serviceAccountUser'],
    [PODS, 'roles/iam.workloadIdentityUser'],
  ])
  const { nodeServiceAccount: _, ...plain } = target
  const again = callsOf((await run(plain)).text, true)
  expect(again[0]?.slice(0, 3)).toEqual(['iam', 'roles', 'update'])
  expect(again.map((words) => words[3])).toContain('42-compute@developer.gserviceaccount.com')
})

test('Terraform and the role file have the same permissions and bindings', async () => {
  const { includedPermissions } = controllerRole('web-shop')
  const module = JSON.parse((await run({ ...target, output: 'terraform' })).text)
  const { google_project_iam_custom_role: role, google_service_account_iam_member: members } = module.resource
  expect([role.controller.role_id, role.controller.permissions]).toEqual(['karpenter_web_shop', includedPermissions])
  expect(members.pods).toMatchObject({ role: 'roles/iam.workloadIdentityUser', member: PODS })
  expect(members.nodes.role).toBe('roles/iam.serviceAccountUser')
  expect(module.variable.node_service_account.default).toBe(target.nodeServiceAccount)
  expect(JSON.parse((await run({ ...target, output: 'json' })).text).includedPermissions).toEqual(includedPermissions)
})

test('the printed role lacks nothing; each missing permission is listed with what fails without it', async () => {
  const file = join(folder(), 'role.yaml')
  writeFileSync(file, (await run({ clusterName: 'web-shop', output: 'yaml' })).text)
  expect(await run({ check: file })).toMatchObject({ status: 0, text: expect.stringContaining('Nothing is missing.') })
  writeFileSync(
    file,
    JSON.stringify([{ includedPermissions: ['compute.instances.list', 'container.clusters.update'] }]),
  )
  const { status, text } = await run({ check: file, output: 'json' })
  const report = JSON.parse(text)
  expect([status, report.unused]).toEqual([3, ['container.clusters.update']])
  expect(report.missing).toContainEqual({ action: 'compute.disks.get', capabilities: ['adoption'], denied: false })
  expect(report.missing.length).toBe(controllerRole('').includedPermissions.length - 1)
  expect((await run({ check: file })).text).toMatch(/compute.instances.create +launch instances with their disks/)
  expect((await run({ output: 'table' })).text).toContain('container.clusters.get')
})

test.each<readonly [Partial<RolesOptions>, string]>([
  [{}, 'the name of a GKE cluster is unknown: set --cluster-name or CLUSTER_NAME'],
  [{ clusterName: 'demo' }, 'the project ID is unknown: set --project or PROJECT_ID'],
  [{ ...target, project: 'Shop' }, '--project "Shop" is not a valid project ID'],
  [{ ...target, clusterName: 'a/b' }, '--cluster-name "a/b" is not a valid name of a GKE cluster'],
  [{ ...target, roleId: 'a-b' }, '--role-id "a-b" is not a valid role ID'],
  [{ ...target, controllerAccount: 'x' }, '--controller-account "x" is not a valid name of a service account'],
  [{ ...target, nodeServiceAccount: 'nodes' }, '--node-service-account "nodes" is not a valid service account'],
  [{ check: '/no/such/file' }, 'no such file'],
])('%j: %s', async (options, problem) => {
  await expect(run(options)).rejects.toThrow(UsageError)
  await expect(run(options)).rejects.toThrow(problem)
})

test.each([
  ['', 'it is empty'],
  ['a: [', 'it is neither YAML nor JSON'],
  ['role', 'it is not an object'],
  ['{}', 'it has no includedPermissions'],
  ['includedPermissions: [1]', 'includedPermissions must be a list of strings'],
])('%j is not a role', async (content, problem) => {
  const file = join(folder(), 'role.yaml')
  writeFileSync(file, content)
  await expect(run({ check: file })).rejects.toThrow(`not a role: ${problem}`)
})
