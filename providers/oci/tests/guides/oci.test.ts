import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { findHelm } from '@kerf/control-plane'
import { communityNodeClassResource, oracleNodeClassResource } from '@kerf/provider-oci/node-class'
import { parseSettings, SeededRandom, SystemClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { GuideShell } from '../../../../tests/integration/guides/guide-shell.ts'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { chartEnvironment, deploymentSpec } from '../../../../tests/integration/install/chart-env.ts'
import { parseDocuments } from '../../../../tests/integration/install/helm.ts'
import { bareEnvironment, kerfCommand, startKerf } from '../../../../tests/integration/story/start-kerf.ts'
import { controllerStatements, nodeStatements } from '../../src/policies/policy-statements.ts'
import { ociSettings } from '../../src/settings/oci-settings.ts'
import { FakeAccount } from '../../src/testing/fake-oci/fake-account.ts'
import { FakeOci, fakeKey } from '../../src/testing/fake-oci/fake-oci.ts'
import { serveOci } from '../../src/testing/fake-oci/loopback.ts'
import { AVAILABILITY_DOMAINS, COMPARTMENT, IMAGE, REGION, SUBNET, VCN } from '../../src/testing/fake-oci/names.ts'

const CLUSTER_ID = 'ocid1.cluster.oc1.phx.aaaacluster'
const data = (value: unknown): string => `echo '${JSON.stringify({ data: value })}'`
const SOURCES = [
  { 'source-name': 'Oracle-Linux-8.10-aarch64-2026.01.29-0-OKE-1.34.1-1330', 'image-id': 'ocid1.image.oc1.phx.arm' },
  { 'source-name': 'Oracle-Linux-8.10-2026.01.29-0-OKE-1.34.1-1330', 'image-id': IMAGE },
]

/** A shell script that replaces Oracle's command line. It returns the responses of the fake tenancy. */
const oci = (kubeconfig: string): string => `case "$*" in
  'os ns get') ${data('tenancyspace')} ;;
  'iam compartment create '*) ${data({ id: COMPARTMENT })} ;;
  'network vcn create '*) ${data({ id: VCN })} ;;
  'network vcn get '*) ${data({ 'default-route-table-id': 'ocid1.rt', 'default-security-list-id': 'ocid1.sl' })} ;;
  'network internet-gateway create '*) ${data({ id: 'ocid1.internetgateway' })} ;;
  'network route-table update '* | 'network security-list update '*) ;;
  'network subnet create '*' --display-name api '*) ${data({ id: 'ocid1.subnet.oc1.phx.aaaaapi' })} ;;
  'network subnet create '*) ${data({ id: SUBNET })} ;;
  'ce cluster list '*) ${data([{ id: CLUSTER_ID }])} ;;
  'ce cluster get '*) ${data({ endpoints: { 'private-endpoint': '10.0.0.2:6443' } })} ;;
  'ce cluster create-kubeconfig '*) cp '${kubeconfig}' "$HOME/.kube/config" ;;
  'ce cluster create '* | 'ce node-pool create '* | 'ce cluster delete '*) ;;
  'iam availability-domain list '*) ${data([{ name: AVAILABILITY_DOMAINS[0] }])} ;;
  'ce node-pool-options get '*) ${data({ sources: SOURCES })} ;;
  'iam policy create '*) printf %s "\${!#}" > "$HOME/statements.json" ;;
  'iam policy list '*) echo '{"data":[{"id":"ocid1.policy","name":"kerf-demo-kerf","statements":'"$(cat "$HOME/statements.json")"'}]}' ;;
  'iam dynamic-group create '* | 'iam policy delete --force --policy-id ocid1.policy') ;;
  *) echo "oci $*: not in the guide" >&2; exit 2 ;;
esac`

const KUBECTL = `case "$*" in
  'apply -f -') { cat; echo '---'; } >> "$HOME/applied.yaml" ;;
esac`

const HELM = (helm: string): string => `case "$1" in
  upgrade) shift 2; '${helm}' template "$@" >> "$HOME/rendered.yaml"; echo '---' >> "$HOME/rendered.yaml" ;;
esac`

const helm = findHelm()

describe.skipIf(helm === undefined)('the guide from an empty compartment', () => {
  test('Kerf’s commands run, the policies have what Kerf needs, and the chart’s values are complete', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'kerf-oci-guide-'))
    const standIn = (name: string, body: string): readonly string[] => {
      const file = join(bin, name)
      writeFileSync(file, `#!/bin/bash\nprintf '%s\\n' "${name} $*" >> '${join(bin, 'calls')}'\n${body}\n`)
      chmodSync(file, 0o755)
      return [file]
    }
    const cloud = new FakeOci(new FakeAccount(new SystemClock()))
    const sandbox = new SandboxCluster({ clock: new SystemClock(), random: new SeededRandom(1) })
    await installCustomResources(sandbox.client, [communityNodeClassResource, oracleNodeClassResource])
    const [served, server] = await Promise.all([serveOci(cloud), SandboxServer.start(sandbox.api)])
    const kubeconfig = join(bin, 'kubeconfig')
    writeFileSync(kubeconfig, server.kubeconfig())
    // The test sets only the address of Oracle Cloud. The guide sets everything else.
    const who = { OCI_ENDPOINT: served.url }
    const shell = new GuideShell(
      {
        oci: standIn('oci', oci(kubeconfig)),
        kubectl: standIn('kubectl', KUBECTL),
        helm: standIn('helm', HELM(helm ?? '')),
        kerf: kerfCommand,
      },
      who,
    )
    const written = (name: string): string => readFileSync(join(shell.directory, name), 'utf8')
    const { tenancy, user, fingerprint, privateKey } = fakeKey
    const keyFile = join(shell.directory, 'oci.yaml')
    writeFileSync(keyFile, JSON.stringify({ auth: { region: REGION, tenancy, user, fingerprint, key: privateKey } }))
    try {
      const steps = guideSteps('oci')
      const outputs = new Map<string, string>()
      for (const step of steps) outputs.set(step.heading, await shell.run(step))
      expect(shell.unrun(steps)).toEqual([])
      expect(outputs.get('4. Policies for the controller and the nodes')).toContain('Nothing is missing.')
      expect(outputs.get('5. Look before you install')).toMatch(/0 failed, \d skipped; nothing was changed\n$/)
      const calls = readFileSync(join(bin, 'calls'), 'utf8').trimEnd().split('\n')
      const call = (start: string): string => calls.find((each) => each.startsWith(`oci ${start} `)) ?? ''
      expect(call('ce node-pool create')).toContain(`--node-image-id ${IMAGE} `)

      const rendered = parseDocuments(written('rendered.yaml'))
      const deployment = rendered.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'karpenter')
      if (deployment === undefined) throw new Error('the chart rendered no controller')
      const { serviceAccountName: serviceAccount } = deploymentSpec(deployment).template.spec
      const scope = { namespace: 'kube-system', serviceAccount, clusterId: CLUSTER_ID, compartmentId: COMPARTMENT }
      const nodes = nodeStatements(scope, 'kerf-nodes')
      expect(JSON.parse(written('statements.json'))).toEqual([...controllerStatements(scope), nodes.statement])
      expect(call('iam dynamic-group create')).toContain(`--matching-rule ${nodes.matchingRule}`)

      const env = chartEnvironment(deployment)
      const { settings } = parseSettings(ociSettings, env)
      expect(settings).toMatchObject({
        ...{ compartmentID: COMPARTMENT, ociRegion: REGION, clusterName: 'kerf-demo' },
        ...{ clusterEndpoint: 'https://10.0.0.2:6443', ociAuthMethods: 'OKE' },
      })

      const byKind: Readonly<Record<string, ResourceKind<KubeObject>>> = {
        ...karpenterKinds,
        OCINodeClass: oracleNodeClassResource.kind,
        Deployment: kinds.Deployment,
      }
      const applied = parseDocuments(written('applied.yaml'))
      expect(applied.map(({ kind }) => kind)).toEqual(['OCINodeClass', 'NodePool', 'Deployment'])
      for (const object of applied) {
        const kind = Object.entries(byKind).find(([name]) => name === object.kind)?.[1]
        if (kind === undefined) throw new Error(`the guide applies a ${object.kind}`)
        const { metadata: own, ...rest } = object
        const namespace = object.kind === 'Deployment' ? { namespace: 'default' } : {}
        await sandbox.client.create(kind, { ...rest, metadata: { ...own, ...namespace } })
      }

      // The guide runs this command in the controller's pod. Workload identity exists only in OKE, so the test uses a key.
      expect(calls.find((each) => each.includes(' exec deployment/karpenter -- '))).toMatch(/ oci verify$/)
      const key = { OCI_AUTH_METHODS: 'API_KEY', CONFIG_YAML_FILENAME: keyFile, USE_LOCAL_PRICE_LIST: 'true' }
      const check = await startKerf(['oci', 'verify'], {
        env: { ...bareEnvironment(), ...env, ...who, ...key, HOME: shell.directory },
      }).ended
      expect(check.code, check.stdout + check.stderr).toBe(0)
      expect(check.stdout).toMatch(/Image would be True: .*\n +OCINodeClass default/)
      expect(cloud.problems).toEqual([])
    } finally {
      shell.close()
      await Promise.all([served.close(), server.close()])
      rmSync(bin, { recursive: true, force: true })
    }
  })
})
