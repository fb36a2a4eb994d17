import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeAzure, serveAzure } from '@kerf/provider-azure/testing'
import { SystemClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { bareEnvironment, startKerf } from '../../../tests/integration/story/start-kerf.ts'

test('kerf azure verify as a process: workload identity, Resource Manager over HTTP, no cluster', async () => {
  const home = mkdtempSync(join(tmpdir(), 'kerf-verify-'))
  const served = await serveAzure((endpoint) => new FakeAzure(new SystemClock(), { endpoint }))
  const verify = (env: Readonly<Record<string, string>> = {}) =>
    startKerf(['azure', 'verify'], { env: { ...bareEnvironment(), ...served.env, HOME: home, ...env } }).ended
  try {
    const { code, stdout, stderr } = await verify()
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ok {6}Azure accepts the credentials: received a token$/m)
    expect(stdout).toContain('65531 free in 10.224.0.0/16')
    expect(stdout).toMatch(/\d+ checks: \d+ passed, 0 warnings, 0 failed, 1 skipped; nothing was changed\n$/)

    // The setting contains the resource group of the cluster instead of that of the nodes.
    const wrong = await verify({ AZURE_NODE_RESOURCE_GROUP: 'demo' })
    expect(wrong.code).toBe(3)
    expect(wrong.stdout).toMatch(/^FAILED {2}the resource group of the nodes .*ResourceGroupNotFound/m)
    expect(wrong.stdout).toContain(
      'do: set AZURE_NODE_RESOURCE_GROUP to the output of "az aks show --query nodeResourceGroup"',
    )

    served.azure.tokens.hasIdentity = false
    const unknown = await verify()
    expect(unknown.code).toBe(1)
    expect(unknown.stdout).toMatch(/^FAILED {2}Azure accepts the credentials: NoCredentials: .*AADSTS700016/m)

    expect(await verify({ VNET_SUBNET_ID: '' })).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('the subnet is unknown: set --vnet-subnet-id or VNET_SUBNET_ID'),
    })
    expect(served.azure.resources()).toEqual([])
  } finally {
    await served.close()
    rmSync(home, { recursive: true, force: true })
  }
})
