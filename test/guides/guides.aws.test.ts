import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { karpenterKinds, kinds } from '@kerf/apis'
import { findComponents, findHelm } from '@kerf/control-plane'
import { describe, expect, test } from 'vitest'
import { upstreamChart } from '../install/upstream-chart.ts'
import { type GuideStep, guideSteps } from './guide-steps.ts'
import { GuideWorld } from './guide-world.ts'

/** The reader's own: the emulated account in its region. */
const REPOSITORY = '123456789012.dkr.ecr.us-east-1.amazonaws.com/kerf/controller'

const isMissing = 'missing' in findComponents() || findHelm() === undefined

/** Runs a guide's blocks one after the other; `after` looks at the world behind the block under its heading. */
const follow = async (
  world: GuideWorld,
  steps: readonly GuideStep[],
  after: Readonly<Record<string, (output: string) => Promise<void>>> = {},
): Promise<void> => {
  for (const heading of Object.keys(after)) expect(steps.map((step) => step.heading)).toContain(heading)
  for (const step of steps) {
    try {
      const output = await world.shell.run(step)
      await after[step.heading]?.(output)
    } catch (error) {
      const pods = await world.plane.kubectl(['get', 'pods', '--all-namespaces', '-o', 'wide'])
      const events = await world.plane.kubectl(['get', 'events', '--namespace', 'kube-system'])
      throw new Error(`${String(error)}\n${world.controllerOutput}\n${pods.stdout}\n${events.stdout}`, { cause: error })
    }
  }
}

const inWorld = async (clusterName: string, tell: (world: GuideWorld) => Promise<void>): Promise<void> => {
  const world = await GuideWorld.open(clusterName)
  try {
    await tell(world)
  } finally {
    await world.close()
  }
}

const runningPods = async ({ client }: GuideWorld): Promise<number> =>
  (await client.list(kinds.Pod, { namespace: 'default' })).items.filter(({ status }) => status?.phase === 'Running')
    .length

describe.skipIf(isMissing)('the guides, command by command', { timeout: 600_000 }, () => {
  test('from an empty account to the first pod', async () => {
    await inWorld('kerf-demo', async (world) => {
      await follow(world, guideSteps('first-pod'), {
        '4. Kerf': async () => {
          const pods = (await world.client.list(kinds.Pod, { namespace: 'kube-system' })).items
          // What runs is what was pushed.
          expect(pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image))).toEqual([
            world.pushed,
            world.pushed,
          ])
          expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual([
            'system-0.ec2.internal',
            'system-1.ec2.internal',
          ])
        },
        '6. The first pod': async (output) => {
          expect(output).toMatch(/default-\w+ +[cmr]5\.\S+ +(spot|on-demand)/)
          expect(await runningPods(world)).toBe(10)
          const claims = (await world.client.list(karpenterKinds.NodeClaim)).items
          expect(await world.harness.instances()).toHaveLength(claims.length)
        },
        'Take it down': async () => {
          expect(await world.harness.instances()).toEqual([])
          expect(world.account.proxy.count('DeleteLaunchTemplate')).toBeGreaterThan(0)
        },
      })
    })
  })

  test('the controller on Fargate', async () => {
    await inWorld('kerf-demo', async (world) => {
      await follow(world, guideSteps('fargate'), {
        Kerf: async () => {
          const pods = (await world.client.list(kinds.Pod, { namespace: 'kube-system' })).items
          expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual(
            pods.map(({ metadata }) => `fargate-${metadata.name}`).toSorted(),
          )
          expect(pods).toHaveLength(2)
          // The pool and the first pod, as the other guide has them, work from here.
          await follow(world, pool())
          expect(await runningPods(world)).toBe(10)
          await world.shell.run({ heading: 'down', commands: takeDown() })
        },
      })
    })
  })

  test('a fixed group of nodes for a cluster that is there', async () => {
    await inWorld('kerf-demo', async (world) => {
      await world.shell.run({ heading: 'the cluster that is there', commands: EXISTING_CLUSTER })
      await follow(world, guideSteps('managed-nodes'), {
        Kerf: async () => {
          const pods = (await world.client.list(kinds.Pod, { namespace: 'kube-system' })).items
          expect(pods.map(({ spec }) => spec.nodeName).toSorted()).toEqual([
            'system-0.ec2.internal',
            'system-1.ec2.internal',
          ])
          await follow(world, pool())
          expect(await runningPods(world)).toBe(10)
          await world.shell.run({ heading: 'down', commands: takeDown() })
        },
      })
    })
  })

  test('taking over from upstream Karpenter, and going back', async () => {
    await inWorld('kerf-demo', async (world) => {
      const chart = upstreamChart()
      const steps = guideSteps('take-over')
      const [image] = steps.filter(({ heading }) => heading === 'Or: the image alone')
      if (image === undefined) throw new Error('the guide tells how to swap the image')
      const uids = async () =>
        (await world.client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.uid).toSorted()
      const imageOf = async () =>
        (await world.client.get(kinds.Deployment, { name: 'karpenter', namespace: 'kube-system' })).spec?.template.spec
          ?.containers[0]?.image
      try {
        await follow(world, upTo('4. Kerf'))
        const values = 'settings.clusterName=kerf-demo,settings.interruptionQueue=kerf-demo'
        await world.shell.run({
          heading: "Karpenter's own chart",
          commands: `helm install karpenter '${chart}' --namespace kube-system --set ${values}`,
        })
        // The image alone, under upstream's variables and rights, does the whole work.
        await follow(world, [image, ...pool()])
        expect(await runningPods(world)).toBe(10)
        expect(world.controllerOutput).toContain('forbidden')
        const before = await uids()
        expect(before.length).toBeGreaterThan(0)
        await follow(
          world,
          steps.filter((step) => step !== image),
          {
            '3. Replace': async () => expect(await imageOf()).toBe(`${REPOSITORY}:0.1.0`),
            '4. Look after': async () => expect(await uids()).toEqual(before),
            'Going back': async () => expect(await imageOf()).toBe('public.ecr.aws/karpenter/controller:1.14.1'),
          },
        )
        expect(await uids()).toEqual(before)
        expect(await runningPods(world)).toBe(10)
      } finally {
        rmSync(dirname(chart), { recursive: true, force: true })
      }
    })
  })
})

/** The steps of the first guide before the one under a heading. */
const upTo = (heading: string): readonly GuideStep[] => {
  const steps = guideSteps('first-pod')
  return steps.slice(
    0,
    steps.findIndex((step) => step.heading === heading),
  )
}

/** The pool of the first guide, and the first pod. */
const pool = (): readonly GuideStep[] => guideSteps('first-pod').filter(({ heading }) => /^[56]\. /.test(heading))

/** The part of the first guide's last step that ends the workload's machines. */
const takeDown = (): string => {
  const { commands = '' } = guideSteps('first-pod').find(({ heading }) => heading === 'Take it down') ?? {}
  return commands.split('helm uninstall')[0] ?? ''
}

/** What a team has before it reads the guide: an EKS cluster with three subnets and a security group. */
const EXISTING_CLUSTER = `
export AWS_DEFAULT_REGION=us-east-1
subnets="$(aws ec2 describe-subnets --query 'Subnets[:3].SubnetId' --output text | tr '\t' ',')"
group="$(aws ec2 describe-security-groups --query 'SecurityGroups[0].GroupId' --output text)"
aws eks create-cluster --name kerf-demo --role-arn arn:aws:iam::123456789012:role/cluster \\
  --resources-vpc-config "subnetIds=$subnets,securityGroupIds=$group" > /dev/null
`
