import type { Reason } from '../reason.ts'
import type { Run } from '../solve/run.ts'
import type { BatchPod } from '../solve/world.ts'

/** Why a pod could not be placed. */
export const reasonsOf = (run: Run, pod: BatchPod): readonly Reason[] => {
  const { podClass } = pod
  if (podClass.refusal !== undefined) return podClass.refusal
  return [
    {
      code: 'instance-type.none',
      subject: `pod/${podClass.pod.metadata.name ?? ''}`,
      detail: { pools: run.world.templates.length },
    },
  ]
}
