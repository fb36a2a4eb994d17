import { kinds } from '@kerf/apis'
import type { Environment } from './environment.ts'
import { tolerating } from './tolerant-calls.ts'

const HELD = 'disks.csi.example/attacher'

/** Adds or removes the attacher's finalizer on every VolumeAttachment. While it is present, no disk detaches. */
export const holdDisks = async (environment: Environment, held: boolean): Promise<void> => {
  for (const { metadata } of environment.list(kinds.VolumeAttachment)) {
    const others = (metadata.finalizers ?? []).filter((each) => each !== HELD)
    const body = { metadata: { finalizers: held ? [...others, HELD] : others } }
    await tolerating(() =>
      environment.admin.patch(kinds.VolumeAttachment, { name: metadata.name }, { type: 'merge', body }),
    )
  }
}
