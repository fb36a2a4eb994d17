import { readerRole } from '../cluster/reader-role.ts'
import { plannedKinds } from './read-live-cluster.ts'

/** Returns the ClusterRole, as YAML, for a command that reads a live cluster in the same way as `kerf plan`. */
export const planRole = (name: string): string => readerRole(name, plannedKinds)
