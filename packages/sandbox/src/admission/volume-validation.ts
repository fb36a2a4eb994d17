import { type JsonObject, objectAt, objectsAt } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'

/**
 * Returns an error for each mount or device whose volume the pod does not have. `more` contains the names of volumes that the template's
 * controller adds.
 */
export const mountErrors = (spec: JsonObject, at: string, more: readonly unknown[]): FieldError[] => {
  const volumes = new Set([...objectsAt(spec, 'volumes').map((volume) => volume['name']), ...more])
  return ['containers', 'initContainers'].flatMap((list) =>
    objectsAt(spec, list).flatMap((container, c) =>
      ['volumeMounts', 'volumeDevices'].flatMap((kind) =>
        objectsAt(container, kind).flatMap((mount, m) =>
          volumes.has(mount['name'])
            ? []
            : [
                {
                  field: `${at}.${list}[${c}].${kind}[${m}].name`,
                  reason: 'FieldValueNotFound',
                  message: `Not found: ${JSON.stringify(mount['name'] ?? '')}`,
                },
              ],
        ),
      ),
    ),
  )
}

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive'

/** Returns an error for each invalid file mode of a volume: `defaultMode`, and the `mode` of each item. */
const modeErrors = (source: JsonObject | undefined, at: string): FieldError[] => {
  if (source === undefined) return []
  const isWrong = (mode: unknown): boolean => typeof mode === 'number' && (mode < 0 || mode > 0o777)
  return [
    ...(isWrong(source['defaultMode'])
      ? [fieldErrors.invalid(`${at}.defaultMode`, source['defaultMode'] ?? 0, MODE)]
      : []),
    ...objectsAt(source, 'items').flatMap((item, i) =>
      isWrong(item['mode']) ? [fieldErrors.invalid(`${at}.items[${i}].mode`, item['mode'] ?? 0, MODE)] : [],
    ),
  ]
}

/** Returns the errors in a pod's volumes. */
export const volumeErrors = (spec: JsonObject, at: string): FieldError[] =>
  objectsAt(spec, 'volumes').flatMap((volume, v) => {
    const place = `${at}.volumes[${v}]`
    const projected = objectAt(volume, 'projected')
    return [
      ...['secret', 'configMap', 'downwardAPI', 'projected'].flatMap((key) =>
        modeErrors(objectAt(volume, key), `${place}.${key}`),
      ),
      ...objectsAt(projected, 'sources').flatMap((source, s) =>
        ['secret', 'configMap', 'downwardAPI'].flatMap((key) =>
          modeErrors(objectAt(source, key), `${place}.projected.sources[${s}].${key}`),
        ),
      ),
    ]
  })
