import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { findHelm } from '@kerf/control-plane'
import { bizflyNodeClassResource } from '@kerf/provider-bizfly/node-class'
import { CLUSTER, FakeAccount, FakeBizfly, NETWORK } from '@kerf/provider-bizfly/testing'
import { parseSettings, SeededRandom, SystemClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { GuideShell } from '../../../../tests/integration/guides/guide-shell.ts'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { chartEnvironment } from '../../../../tests/integration/install/chart-env.ts'
import { parseDocuments } from '../../../../tests/integration/install/helm.ts'
import { bareEnvironment, kerfCommand, startKerf } from '../../../../tests/integration/story/start-kerf.ts'
import { bizflySettings } from '../../src/bizfly-settings.ts'
import { bizflyEnv, serveBizfly } from '../../src/testing/fake-bizfly/loopback.ts'

const KUBECTL = `case "$*" in
  'apply -f -') { cat; echo '---'; } >> "$HOME/applied.yaml" ;;
esac`

const HELM = (helm: string): string => `case "$1" in
  upgrade) shift 2; '${helm}' template "$@" >> "$HOME/rendered.yaml"; echo '---' >> "$HOME/rendered.yaml" ;;
esac`

const helm = findHelm()

describe.skipIf(helm === undefined)('the guide for a cluster of Bizfly Kubernetes Engine', () => {
  test('Kerf’s commands run, the Secret has what Kerf needs, and the chart’s values are complete', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'kerf-bizfly-guide-'))
    const standIn = (name: string, body: string): readonly string[] => {
      const file = join(bin, name)
      writeFileSync(file, `#!/bin/bash\nprintf '%s\\n' "${name} $*" >> '${join(bin, 'calls')}'\n${body}\n`)
      chmodSync(file, 0o755)
      return [file]
    }
    const cloud = new FakeBizfly(new FakeAccount(new SystemClock()))
    const sandbox = new SandboxCluster({ clock: new SystemClock(), random: new SeededRandom(1) })
    await installCustomResources(sandbox.client, [bizflyNodeClassResource])
    const [served, server] = await Promise.all([serveBizfly(cloud), SandboxServer.start(sandbox.api)])
    const shell = new GuideShell(
      {
        kubectl: standIn('kubectl', KUBECTL),
        helm: standIn('helm', HELM(helm ?? '')),
        kerf: kerfCommand,
      },
      {},
    )
    const written = (name: string): string => readFileSync(join(shell.directory, name), 'utf8')
    const kubeconfig = join(shell.directory, 'kubeconfig')
    writeFileSync(kubeconfig, server.kubeconfig())
    const ownValues = Object.entries({ ...bizflyEnv(served), KUBECONFIG: kubeconfig, VPC_NETWORK_ID: NETWORK })
      .map(([name, value]) => `export ${name}='${value}'`)
      .join('\n')
    try {
      const steps = guideSteps('bizfly')
      const outputs = new Map<string, string>()
      for (const [index, step] of steps.entries()) {
        outputs.set(step.heading, await shell.run(step))
        // The reader replaces the example values of the first step.
        if (index === 0) await shell.run({ heading: 'the account of the reader', commands: ownValues })
      }
      expect(shell.unrun(steps)).toEqual([])
      expect(outputs.get('2. Look before you install')).toMatch(/0 failed, \d skipped; nothing was changed\n$/)
      const calls = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n')

      const secret = calls.find((each) => each.includes('create secret generic bizfly-cloud')) ?? ''
      const secrets = Object.fromEntries(
        [...secret.matchAll(/--from-literal=(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
      )
      expect(Object.keys(secrets).toSorted()).toEqual(['BIZFLY_CLOUD_PASSWORD', 'BKE_CLUSTER_TOKEN'])

      const rendered = parseDocuments(written('rendered.yaml'))
      const deployment = rendered.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'karpenter')
      if (deployment === undefined) throw new Error('the chart rendered no controller')
      expect(JSON.stringify(deployment)).toContain('"envFrom":[{"secretRef":{"name":"bizfly-cloud"}}]')
      const env = chartEnvironment(deployment)
      const { settings } = parseSettings(bizflySettings, env)
      expect(settings).toMatchObject({ bkeClusterID: CLUSTER, bizflyCloudRegion: 'HN' })

      const byKind: Readonly<Record<string, ResourceKind<KubeObject>>> = {
        ...karpenterKinds,
        BizflyCloudNodeClass: bizflyNodeClassResource.kind,
        Deployment: kinds.Deployment,
      }
      const applied = parseDocuments(written('applied.yaml'))
      expect(applied.map(({ kind }) => kind)).toEqual(['BizflyCloudNodeClass', 'NodePool', 'Deployment'])
      for (const object of applied) {
        const kind = Object.entries(byKind).find(([name]) => name === object.kind)?.[1]
        if (kind === undefined) throw new Error(`the guide applies a ${object.kind}`)
        const { metadata: own, ...rest } = object
        const namespace = object.kind === 'Deployment' ? { namespace: 'default' } : {}
        await sandbox.client.create(kind, { ...rest, metadata: { ...own, ...namespace } })
      }

      // The guide runs this command in the controller's pod, with the pod's environment and the guide's objects.
      expect(calls.find((each) => each.includes(' exec deployment/karpenter -- '))).toMatch(/ bizfly verify$/)
      const check = await startKerf(['bizfly', 'verify'], {
        env: { ...bareEnvironment(), ...env, ...secrets, KUBECONFIG: kubeconfig, HOME: shell.directory },
      }).ended
      expect(check.code, check.stdout + check.stderr).toBe(0)
      expect(check.stdout).toContain('BizflyCloudNodeClass default')
      expect(cloud.problems).toEqual([])
    } finally {
      shell.close()
      await Promise.all([served.close(), server.close()])
      rmSync(bin, { recursive: true, force: true })
    }
  })
})
