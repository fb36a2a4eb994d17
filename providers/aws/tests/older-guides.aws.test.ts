import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCondition, type KubeObject, karpenterKinds } from '@kerf/apis'
import { resetCluster } from '@kerf/control-plane'
import { untilCrdsEstablished } from '@kerf/control-plane/established'
import { describeOnCluster, type TestCluster } from '@kerf/control-plane/testing'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import type { KubeClient } from '@kerf/runtime'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { crdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { GuideShell } from '../../../tests/integration/guides/guide-shell.ts'
import { documentSteps } from '../../../tests/integration/guides/guide-steps.ts'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { claims, running } from '../../../tests/integration/story/nginx-story.ts'
import { kerfCommand } from '../../../tests/integration/story/start-kerf.ts'
import { httpClient } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil } from '../../../tests/integration/story/until.ts'
import { AwsAccount } from './aws-story.ts'
import { NodeHarness } from './node-harness.ts'

const CLUSTER = 'your-cluster-name'
const never = new AbortController().signal

let account: AwsAccount
beforeEach(async () => {
  account = await AwsAccount.open()
  // The cluster and the profile have the placeholder names of the guides.
  await account.addCluster(CLUSTER)
  await account.api().iam.createInstanceProfile({ name: 'your-instance-profile', path: '/', tags: {} }, never)
})
afterEach(async () => {
  await account.close()
})

const documented = documentSteps('migrate')
/** Returns the block of commands in docs/migrate.md that starts with the given words. */
const block = (beginning: string): string => {
  const found = documented.find(({ commands }) => commands.startsWith(beginning))
  if (found === undefined) throw new Error(`docs/migrate.md has no block that begins with: ${beginning}`)
  return found.commands
}

let terminal: GuideShell | undefined
afterAll(() => terminal?.close())
const terminalOn = ({ kubectlPath, kubeconfig }: TestCluster): GuideShell => {
  terminal ??= new GuideShell({ kubectl: [kubectlPath], kerf: kerfCommand }, { KUBECONFIG: kubeconfig })
  return terminal
}

/** Runs commands as a reader would. A failing command stops the remaining ones. */
const shell = (cluster: TestCluster, commands: string): Promise<string> =>
  terminalOn(cluster).run({ heading: 'docs/migrate.md', commands })

const installAwsCrds = async (cluster: TestCluster): Promise<void> => {
  writeFileSync(
    join(terminalOn(cluster).directory, 'crds.yaml'),
    crdFiles('aws')
      .map(({ yaml }) => `---\n${yaml}`)
      .join(''),
  )
  await shell(cluster, 'kubectl apply --server-side -f crds.yaml')
  await untilCrdsEstablished(cluster.kubectl)
}

const OLD = `
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: everything, labels: {team: a}, annotations: {note: x}}
spec:
  annotations: {example.com/owner: me}
  labels: {team: a}
  consolidation: {enabled: true}
  kubeletConfiguration:
    clusterDNS: [10.0.0.10]
    containerRuntime: containerd
    cpuCFSQuota: true
    evictionHard: {memory.available: 5%}
    evictionMaxPodGracePeriod: 60
    evictionSoft: {memory.available: 10%}
    evictionSoftGracePeriod: {memory.available: 2m}
    imageGCHighThresholdPercent: 85
    imageGCLowThresholdPercent: 80
    kubeReserved: {cpu: 1, memory: 100Mi}
    maxPods: 20
    podsPerCore: 2
    systemReserved: {cpu: 100m}
  limits: {resources: {cpu: 1000, memory: 1000Gi}}
  providerRef: {name: everything}
  requirements:
    - {key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, c5]}
    - {key: karpenter.k8s.aws/instance-cpu, operator: Gt, values: ["1"]}
    - {key: topology.kubernetes.io/zone, operator: NotIn, values: [us-east-1e]}
    - {key: karpenter.sh/capacity-type, operator: Exists}
  startupTaints: [{key: cni, value: "", effect: NoExecute}]
  taints: [{key: dedicated, value: web, effect: NoSchedule}]
  ttlSecondsUntilExpired: 604800
  weight: 10
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: everything}
spec:
  amiFamily: AL2
  amiSelector: {aws::name: "a-*", aws::owners: "self,amazon"}
  blockDeviceMappings:
    - deviceName: /dev/xvda
      ebs: {deleteOnTermination: true, encrypted: true, iops: 3000, kmsKeyID: k, snapshotID: snap-1, throughput: 125, volumeSize: 100Gi, volumeType: gp3}
  context: c
  detailedMonitoring: true
  instanceProfile: nodes
  metadataOptions: {httpEndpoint: enabled, httpProtocolIPv6: disabled, httpPutResponseHopLimit: 2, httpTokens: required}
  securityGroupSelector: {aws::ids: "sg-1,sg-2"}
  subnetSelector: {karpenter.sh/discovery: demo, Name: "a,b"}
  tags: {team: a}
  userData: "#!/bin/bash"
---
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: beta}
spec:
  template:
    metadata: {labels: {team: b}}
    spec:
      requirements: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]
      kubelet: {maxPods: 30}
      nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: beta}
  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: 720h, budgets: [{nodes: 10%}]}
  limits: {cpu: "100"}
---
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: beta}
spec:
  amiFamily: Bottlerocket
  role: nodes
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{id: sg-1}]
`

/**
 * Creates copies of a NodePool and a node class whose owner does not exist. The garbage collector deletes each copy once it has discovered
 * its kind.
 */
const makeOrphans = async (client: KubeClient): Promise<void> => {
  const ownerReferences = [{ apiVersion: 'karpenter.sh/v1alpha5', kind: 'Provisioner', name: 'nobody', uid: 'nobody' }]
  const metadata = { name: 'orphan', ownerReferences }
  for (const { apiVersion, kind, spec } of (await client.list(karpenterKinds.NodePool)).items)
    await client.create(karpenterKinds.NodePool, { apiVersion, kind, metadata, spec })
  for (const { apiVersion, kind, spec } of (await client.list(ec2NodeClassKind)).items)
    await client.create(ec2NodeClassKind, { apiVersion, kind, metadata, spec })
}

describeOnCluster('the older guides', (shared) => {
  test('the API server accepts the output of kerf migrate manifests', async () => {
    const cluster = shared()
    await installAwsCrds(cluster)
    await shell(cluster, block('kerf migrate manifests'))
    expect(await shell(cluster, 'kubectl apply --dry-run=server -f v1.yaml')).toBe(
      'ec2nodeclass.karpenter.k8s.aws/default created (server dry run)\nnodepool.karpenter.sh/default created (server dry run)\n',
    )
    writeFileSync(join(terminalOn(cluster).directory, 'old.yaml'), OLD)
    const applied = await shell(
      cluster,
      'kerf migrate manifests --kubernetes 1.36 old.yaml > new.yaml 2> report.txt\nkubectl apply --dry-run=server --validate=strict -f new.yaml',
    )
    expect(
      applied
        .trim()
        .split('\n')
        .map((line) => line.replace(/ .*/, '')),
    ).toEqual([
      'ec2nodeclass.karpenter.k8s.aws/everything',
      'ec2nodeclass.karpenter.k8s.aws/beta',
      'ec2nodeclass.karpenter.k8s.aws/everything-everything',
      'nodepool.karpenter.sh/everything',
      'nodepool.karpenter.sh/beta',
    ])
  })

  test('lead, as written, to ten running pods and to v1 objects on which nothing drifts', async () => {
    const cluster = shared()
    await resetCluster(cluster)
    await installAwsCrds(cluster)
    await shell(cluster, block('kubectl create namespace karpenter'))
    const client = httpClient(cluster)
    // Starts Kerf as the chart does. Only the address of AWS depends on this machine.
    const kerf = KerfProcess.start(cluster.kubeconfig, ['--provider=aws', '--disable-leader-election'], {
      LEGACY_APIS: 'true',
      SYSTEM_NAMESPACE: 'karpenter',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: account.proxy.endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    })
    const harness = new NodeHarness({ client, ec2: account.api().ec2, proxy: account.proxy })
    harness.start()
    const until = realUntil(client, () => kerf.output)
    const gone = async (kind: Parameters<typeof client.list>[0]): Promise<boolean> =>
      (await client.list<KubeObject>(kind)).items.length === 0
    try {
      await until('the old kinds served', async () => {
        const { code } = await cluster.kubectl(['get', 'provisioners,awsnodetemplates'])
        return code === 0
      })
      const told = await shell(
        cluster,
        block('kubectl apply -f examples/older-guides/provisioner-v1alpha5.yaml'),
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${kerf.output.slice(-3_000)}`, { cause: error })
      })
      expect(told).toMatch(/deployment "nginx" successfully rolled out/)
      expect(told).toMatch(/provisioner\.karpenter\.sh\/default +default +EC2NodeClass\/default +True/)
      expect(await running(client)).toHaveLength(10)
      const instances = await harness.instances()
      expect(instances.length).toBeGreaterThan(0)
      for (const { InstanceId = '', InstanceType } of instances) {
        expect(InstanceType).toMatch(/^m5\.(large|xlarge)$/)
        const template = account.proxy.templates.get(account.proxy.launchedFrom.get(InstanceId) ?? '')
        expect(template?.profile).toBe('your-instance-profile')
      }
      // A profile that users created is never deleted, even if the emulator lists it among the profiles of the controller.
      expect((await account.api().iam.getInstanceProfile('your-instance-profile', never)).path).toBe('/')
      // The values of the ConfigMap are used, and settings that have no effect are logged.
      expect(kerf.output).toMatch(/using an old setting as CLUSTER_NAME/)
      expect(kerf.output).toMatch(/ignoring an old setting: the environment variable AWS_REGION is set/)
      expect(kerf.output).toMatch(/ignoring an old setting: .*your-cluster-endpoint.* is not an absolute URL/)
      for (const [path, word] of [
        ['provisioners.spec', 'ttlSecondsAfterEmpty'],
        ['provisioners.status.fields', 'fate'],
        ['awsnodetemplates.spec', 'subnetSelector'],
      ] as const)
        await until(`kubectl explain ${path}`, async () =>
          (await cluster.kubectl(['explain', path])).stdout.includes(word),
        )
      const refused = await cluster.kubectl(
        ['apply', '-f', '-'],
        'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: wrong}\nspec: {surprise: 1}\n',
      )
      expect(refused.stderr).toContain('unknown field "spec.surprise"')

      // The garbage collector discovers new kinds gradually. Until then, it does not delete their objects.
      await makeOrphans(client)
      await until('the garbage collector to know the kinds', async () => {
        const pools = (await client.list(karpenterKinds.NodePool)).items
        const classes = (await client.list(ec2NodeClassKind)).items
        return [...pools, ...classes].every(({ metadata }) => metadata.name !== 'orphan')
      })
      const before = (await claims(client)).map(({ metadata }) => metadata.uid)
      await shell(cluster, block('kubectl delete provisioners,awsnodetemplates'))
      const [pool] = (await client.list(karpenterKinds.NodePool)).items
      expect(pool?.metadata.ownerReferences ?? []).toEqual([])
      const after = await claims(client)
      expect(after.map(({ metadata }) => metadata.uid)).toEqual(before)
      expect(after.some((claim) => findCondition(claim, 'Drifted')?.status === 'True')).toBe(false)

      // Deletes everything, creates the Provisioner again, and checks that its NodePool and node class are deleted with it.
      await shell(
        cluster,
        'kubectl delete deployment nginx\nkubectl delete nodepools,ec2nodeclasses --all --timeout=120s',
      )
      await until('every claim gone', () => gone(karpenterKinds.NodeClaim))
      await until('every instance ended', async () => (await harness.instances()).length === 0)
      await shell(cluster, 'kubectl apply -f examples/older-guides/provisioner-v1alpha5.yaml')
      await until('a pool again', async () => !(await gone(karpenterKinds.NodePool)))
      await shell(cluster, 'kubectl delete provisioner default --timeout=60s')
      await until('its pool and class gone', async () =>
        (await Promise.all([gone(karpenterKinds.NodePool), gone(ec2NodeClassKind)])).every(Boolean),
      )
      expect(await kerf.stop()).toBe(0)
    } finally {
      await kerf.kill()
      await harness.stop()
      await client.close()
    }
  })
})
