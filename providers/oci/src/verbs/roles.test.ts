import { expect, test } from 'vitest'
import { runRoles } from './run-roles.ts'

const OPTIONS = { namespace: 'kerf', serviceAccount: 'sa', nodeGroup: 'nodes' } as const

const printed = (options: Partial<Parameters<typeof runRoles>[0]> = {}): string => {
  let text = ''
  const stdout = {
    write: (chunk: string) => {
      text += chunk
      return true
    },
  }
  runRoles({ output: 'text', ...OPTIONS, ...options }, { stdout: stdout as never })
  return text
}

test('the statements name each kind of resource once, with the strongest verb that a call needs', () => {
  const { controller } = JSON.parse(printed({ output: 'json' })) as { readonly controller: readonly string[] }
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

test('only the ServiceAccount of the controller may use the policy, in one compartment', () => {
  const text = printed({ compartmentId: 'ocid1.compartment.oc1..aaaa', clusterId: 'ocid1.cluster.oc1.phx.bbbb' })
  expect(text).toContain(
    "Allow any-user to manage instance-family in compartment id ocid1.compartment.oc1..aaaa where all {request.principal.type = 'workload', request.principal.namespace = 'kerf', request.principal.service_account = 'sa', request.principal.cluster_id = 'ocid1.cluster.oc1.phx.bbbb'}",
  )
  expect(text).toContain('Allow dynamic-group nodes to {CLUSTER_JOIN} in compartment id ocid1.compartment.oc1..aaaa')
  expect(text).toContain("ALL {instance.compartment.id = 'ocid1.compartment.oc1..aaaa'}")
})

test('without OCIDs, the statements have placeholders, and an OCID of another kind is an error', () => {
  expect(printed()).toContain('in compartment id COMPARTMENT_OCID')
  expect(() => printed({ compartmentId: 'ocid1.cluster.oc1..aaaa' })).toThrow(/OCID of a compartment/)
  expect(() => printed({ clusterId: "x' or '" })).toThrow(/OCID of a cluster/)
})
