import { readerRole } from '../cluster/reader-role.ts'
import { recordedKinds, watchedKinds } from './recorder.ts'

/** The ClusterRole of `kerf record`. */
export const recordRole = (): string => readerRole('record', [...recordedKinds, ...watchedKinds], ['list', 'watch'])
