import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { findComponents } from '@kerf/control-plane'

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the folder of a kubectl: the one of the built control plane, or else the first on PATH. Returns undefined if there is none. */
export const findKubectl = (path = process.env['PATH'] ?? ''): string | undefined => {
  const components = findComponents()
  if (!('missing' in components)) return dirname(components.kubectl)
  return path.split(delimiter).find((folder) => folder !== '' && isProgram(join(folder, 'kubectl')))
}
