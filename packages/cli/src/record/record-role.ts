import { readerRole } from '../cluster/reader-role.ts'
import { recordedKinds, watchedKinds } from './recorder.ts'

/** Returns the ClusterRole for `kerf record`, as YAML. */
export const recordRole = (): string => readerRole('record', [...recordedKinds, ...watchedKinds], ['list', 'watch'])
