import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { findHelm } from '@kerf/control-plane'
import {
  proxmoxNodeClassDescriptor,
  proxmoxNodeClassKind,
  proxmoxTemplateResource,
  unmanagedTemplateKind,
  unmanagedTemplateResource,
} from '@kerf/provider-proxmox/node-class'
import { FAKE_SECRET, FakeCluster, FakeProxmox, serveProxmox } from '@kerf/provider-proxmox/testing'
import { parseSettings, SeededRandom, SystemClock } from '@kerf/runtime'
import { installCustomResources, issueCertificate } from '@kerf/runtime/testing'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { GuideShell } from '../../../../tests/integration/guides/guide-shell.ts'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { chartEnvironment } from '../../../../tests/integration/install/chart-env.ts'
import { parseDocuments } from '../../../../tests/integration/install/helm.ts'
import { bareEnvironment, kerfCommand, startKerf } from '../../../../tests/integration/story/start-kerf.ts'
import { proxmoxSettings } from '../../src/settings/proxmox-settings.ts'
import { pathRoles } from '../../src/verbs/role-commands.ts'

const KUBECTL = `case "$*" in
  'apply -f -') { cat; echo '---'; } >> "$HOME/applied.yaml" ;;
esac`

const HELM = (helm: string): string => `case "$1" in
  upgrade) shift 2; '${helm}' template "$@" >> "$HOME/rendered.yaml"; echo '---' >> "$HOME/rendered.yaml" ;;
esac`

const helm = findHelm()
const authority = issueCertificate('authority')

describe.skipIf(helm === undefined)('the guide for a cluster on Proxmox VE', () => {
  test('Kerf’s commands run with least privilege, and the chart’s values are complete', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'kerf-proxmox-guide-'))
    const standIn = (name: string, body: string): readonly string[] => {
      const file = join(bin, name)
      writeFileSync(file, `#!/bin/bash\nprintf '%s\\n' "${name} $*" >> '${join(bin, 'calls')}'\n${body}\n`)
      chmodSync(file, 0o755)
      return [file]
    }
    const fake = new FakeProxmox(new FakeCluster(new SystemClock()))
    fake.privileges = new Map(
      pathRoles('Kerf', ['cloud-init', 'templates', 'pools']).map(({ path, privileges }) => [path, privileges]),
    )
    const sandbox = new SandboxCluster({ clock: new SystemClock(), random: new SeededRandom(1) })
    const { resource } = proxmoxNodeClassDescriptor
    await installCustomResources(sandbox.client, [resource, proxmoxTemplateResource, unmanagedTemplateResource])
    const [served, server] = await Promise.all([serveProxmox(fake, authority), SandboxServer.start(sandbox.api)])
    const shell = new GuideShell(
      { kubectl: standIn('kubectl', KUBECTL), helm: standIn('helm', HELM(helm ?? '')), kerf: kerfCommand },
      {},
    )
    const written = (name: string): string => readFileSync(join(shell.directory, name), 'utf8')
    const kubeconfig = join(shell.directory, 'kubeconfig')
    writeFileSync(kubeconfig, server.kubeconfig())
    // The reader copies this file from a hypervisor.
    writeFileSync(join(shell.directory, 'pve-root-ca.pem'), authority.cert)
    const ownValues = Object.entries({
      ...{ PROXMOX_URL: served.url, PROXMOX_TOKEN_SECRET: FAKE_SECRET, KUBECONFIG: kubeconfig, TEMPLATE_NAME: 'talos' },
    })
      .map(([name, value]) => `export ${name}='${value}'`)
      .join('\n')
    try {
      const steps = guideSteps('proxmox')
      const outputs = new Map<string, string>()
      for (const step of steps) {
        outputs.set(step.heading, await shell.run(step))
        // The reader replaces the example values of the first steps.
        if (step.commands.includes('PROXMOX_TOKEN_SECRET='))
          await shell.run({ heading: 'the values of the reader', commands: ownValues })
      }
      expect(shell.unrun(steps)).toEqual([])
      expect(outputs.get('3. Look before you install')).toMatch(/0 failed, \d skipped; nothing was changed\n$/)
      expect(written('kerf-roles.sh')).not.toMatch(/AccessNetwork|Pool\.|Datastore\.AllocateTemplate/)
      const calls = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n')

      const rendered = parseDocuments(written('rendered.yaml'))
      const deployment = rendered.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'karpenter')
      if (deployment === undefined) throw new Error('the chart rendered no controller')
      expect(JSON.stringify(deployment)).toContain('"mountPath":"/etc/proxmox"')
      const env = chartEnvironment(deployment)
      const { settings } = parseSettings(proxmoxSettings, env)
      expect(settings).toMatchObject({ cloudConfig: '/etc/proxmox/config.yaml', clusterName: 'your-cluster' })

      const byKind: Readonly<Record<string, ResourceKind<KubeObject>>> = {
        ...karpenterKinds,
        ProxmoxNodeClass: proxmoxNodeClassKind,
        ProxmoxUnmanagedTemplate: unmanagedTemplateKind,
        Deployment: kinds.Deployment,
      }
      const applied = parseDocuments(written('applied.yaml'))
      expect(applied.map(({ kind }) => kind)).toEqual([
        ...['ProxmoxUnmanagedTemplate', 'ProxmoxNodeClass', 'NodePool', 'Deployment'],
      ])
      for (const object of applied) {
        const kind = Object.entries(byKind).find(([name]) => name === object.kind)?.[1]
        if (kind === undefined) throw new Error(`the guide applies a ${object.kind}`)
        const { metadata: own, ...rest } = object
        const namespace = object.kind === 'Deployment' ? { namespace: 'default' } : {}
        await sandbox.client.create(kind, { ...rest, metadata: { ...own, ...namespace } })
      }

      // The guide runs this command in the controller's pod, with the pod's environment and the files of the Secret.
      expect(calls.find((each) => each.includes(' exec deployment/karpenter -- '))).toMatch(
        / proxmox verify --without cloud-init templates pools$/,
      )
      const mounted = join(shell.directory, 'mounted')
      mkdirSync(mounted)
      for (const name of ['config.yaml', 'pve-root-ca.pem']) writeFileSync(join(mounted, name), written(name))
      const check = await startKerf(['proxmox', 'verify', '--without', 'cloud-init', 'templates', 'pools'], {
        env: {
          ...{ ...bareEnvironment(), ...env, KUBECONFIG: kubeconfig, HOME: shell.directory },
          CLOUD_CONFIG: join(mounted, 'config.yaml'),
        },
      }).ended
      expect(check.code, check.stdout + check.stderr).toBe(0)
      expect(check.stdout).toContain('ProxmoxUnmanagedTemplate default in home')
    } finally {
      shell.close()
      await Promise.all([served.close(), server.close()])
      rmSync(bin, { recursive: true, force: true })
    }
  })
})
