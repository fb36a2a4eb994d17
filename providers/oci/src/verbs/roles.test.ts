import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@kerf/provider-kit/command-line'
import { expect, onTestFinished, test } from 'vitest'
import { runRoles } from './run-roles.ts'

const OPTIONS = { namespace: 'kerf', serviceAccount: 'sa', nodeGroup: 'nodes' } as const

const run = async (options: Partial<Parameters<typeof runRoles>[0]> = {}) => {
  let text = ''
  const stdout = {
    write: (chunk: string) => {
      text += chunk
      return true
    },
  }
  const code = await runRoles({ output: 'text', ...OPTIONS, ...options }, { stdout: stdout as never })
  return { code, text }
}

const printed = async (options: Partial<Parameters<typeof runRoles>[0]> = {}): Promise<string> =>
  (await run(options)).text

const fileWith = (content: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-oci-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'statements')
  writeFileSync(file, content)
  return file
}

const COMPARTMENT = 'ocid1.compartment.oc1..aaaa'

test('the statements contain each kind of resource once, with the strongest verb that a call needs', async () => {
  const { controller } = JSON.parse(await printed({ output: 'json' })) as { readonly controller: readonly string[] }
  expect(controller.map((statement) => statement.split(' ').slice(3, 5).join(' '))).toEqual([
    'inspect compartments',
    'use compute-capacity-reservations',
    'use compute-clusters',
    'manage instance-family',
    'read instance-images',
    'use tag-namespaces',
    'use virtual-network-family',
    'manage volume-family',
  ])
})

test('only the ServiceAccount of the controller may use the policy, in one compartment', async () => {
  const text = await printed({ compartmentId: 'ocid1.compartment.oc1..aaaa', clusterId: 'ocid1.cluster.oc1.phx.bbbb' })
  expect(text).toContain(
    "Allow any-user to manage instance-family in compartment id ocid1.compartment.oc1..aaaa where all {request.principal.type = 'workload', request.principal.namespace = 'kerf', request.principal.service_account = 'sa', request.principal.cluster_id = 'ocid1.cluster.oc1.phx.bbbb'}",
  )
  expect(text).toContain('Allow dynamic-group nodes to {CLUSTER_JOIN} in compartment id ocid1.compartment.oc1..aaaa')
  expect(text).toContain("ALL {instance.compartment.id = 'ocid1.compartment.oc1..aaaa'}")
})

test('without OCIDs, the statements have placeholders, and an OCID of the wrong kind is an error', async () => {
  expect(await printed()).toContain('in compartment id COMPARTMENT_OCID')
  await expect(printed({ compartmentId: 'ocid1.cluster.oc1..aaaa' })).rejects.toThrow(/OCID of a compartment/)
  await expect(printed({ clusterId: "x' or '" })).rejects.toThrow(/OCID of a cluster/)
})

test('the printed statements lack nothing, even in the output of the OCI command line', async () => {
  const text = await printed({ compartmentId: COMPARTMENT })
  const check = fileWith(text)
  expect(await run({ check, compartmentId: COMPARTMENT })).toEqual({ code: 0, text: 'Nothing is missing.\n' })
  const statements = text.split('\n').filter((line) => line.startsWith('Allow'))
  const answer = fileWith(
    JSON.stringify({ data: [{ statements: statements.slice(0, 3) }, { statements: statements.slice(3) }] }),
  )
  expect(await run({ check: answer })).toEqual({ code: 0, text: 'Nothing is missing.\n' })
})

test('each missing policy is listed with what fails without it; weaker verbs, other compartments and denials do not count', async () => {
  const check = fileWith(`
    Allow any-user to manage instance-family in tenancy
    allow group kerf to read volume-family in tenancy
    Allow group kerf to use virtual-network-family in compartment id ocid1.compartment.oc1..other
    Allow group kerf to use compute-clusters in tenancy where target.tag.a = 'b'
    Allow group kerf to manage compute-capacity-reservations in tenancy
    Deny group kerf to use compute-capacity-reservations in tenancy
    Allow group kerf to manage object-family in tenancy
    Allow group kerf to inspect compartments in compartment Nodes`)
  const { code, text } = await run({ check, compartmentId: COMPARTMENT, output: 'json' })
  const report = JSON.parse(text)
  expect(code).toBe(3)
  expect(report.missing.map(({ action }: { readonly action: string }) => action)).toEqual([
    'use compute-capacity-reservations',
    'use tag-namespaces',
    'use virtual-network-family',
    'manage volume-family',
  ])
  // The policy for instances includes the policy for their images.
  expect(report.limited).toEqual(['inspect compartments', 'use compute-clusters'])
  expect([report.nodesCanJoin, report.unused]).toEqual([false, ['Allow group kerf to manage object-family in tenancy']])
  const table = await run({ check, compartmentId: COMPARTMENT })
  expect(table.text).toMatch(/compute-capacity-reservations +use capacity reservations .*\(denied\)/)
  expect(table.text).toMatch(/\{CLUSTER_JOIN\} +let nodes join/)
})

test('a denial of a verb also denies the stronger verbs, but not the weaker ones', async () => {
  const lacking = async (denial: string): Promise<readonly string[]> => {
    const check = fileWith(
      `Allow group kerf to manage all-resources in tenancy\nDeny group kerf to ${denial} in tenancy`,
    )
    const { text } = await run({ check, output: 'json' })
    return JSON.parse(text).missing.map(({ action }: { readonly action: string }) => action)
  }
  expect(await lacking('use volume-family')).toEqual(['manage volume-family'])
  expect(await lacking('manage tag-namespaces')).toEqual([])
})

test.each([
  ['there is nothing here', 'no line begins with Allow'],
  ['{"data":', 'it is not JSON'],
])('%j has no statements', async (content, problem) => {
  await expect(run({ check: fileWith(content) })).rejects.toThrow(problem)
  await expect(run({ check: '/no/such/file' })).rejects.toThrow(UsageError)
})
