import { apply, deployment, oneANode, storyRun } from '../../../../tests/simulation/exhaustive/stories/objects.ts'
import type { Story } from '../../../../tests/simulation/exhaustive/story.ts'
import { poolOn } from '../../../../tests/simulation/runs/cloud-names.ts'
import { simulatedPool } from '../../../../tests/simulation/runs/pools.ts'

/** A launch on Proxmox: for each of two claims, Kerf clones a template, and enlarges, configures and starts the guest. */
const launch: Story = {
  name: 'proxmox-launch',
  run: storyRun(110, { cloud: 'proxmox', pools: [poolOn('proxmox', simulatedPool('open'))] }, [
    [1_000, apply(deployment('web', { cpu: '900m', replicas: 2, spec: oneANode('web') }))],
  ]),
  most: 2,
  missing: (environment) => [
    ...(environment.pods().length === 2 ? [] : [`there are ${environment.pods().length} pods, not 2`]),
    ...(environment.nodes().length === 2 ? [] : [`there are ${environment.nodes().length} nodes, not 2`]),
  ],
}

export const stories: readonly Story[] = [launch]
