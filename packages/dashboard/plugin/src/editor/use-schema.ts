import type { CompiledSchema } from '@kerf/apis'
import { ApiProxy } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useState } from 'react'
import type { AnyObject } from '../cluster/classes.ts'
import { compiled, schemaOfCrd, schemaOfOpenApi } from '../model/editing.ts'

/** How long a schema is cached, in milliseconds. It changes when somebody updates the CustomResourceDefinition. */
const FRESH = 60_000
const known = new Map<string, { readonly at: number; readonly schema: Promise<CompiledSchema | undefined> }>()

const get = (cluster: string, path: string): Promise<unknown> =>
  ApiProxy.clusterRequest(path, { cluster, autoLogoutOnAuthError: false }).catch(() => undefined)

/**
 * Loads the schema from the CustomResourceDefinition if the user may read it. Otherwise loads it from the API
 * server's OpenAPI document, which every user may read.
 */
const load = async (cluster: string, group: string, version: string, kind: string, plural: string) => {
  const crd = await get(cluster, `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`)
  const schema =
    schemaOfCrd(crd, version) ??
    schemaOfOpenApi(await get(cluster, `/openapi/v3/apis/${group}/${version}`), group, version, kind)
  return compiled(schema)
}

/**
 * Returns the schema that the cluster uses to validate an object. Returns `none` if the schema cannot be read. In
 * that case, only the server can validate the object.
 */
export const useSchema = (object: AnyObject): CompiledSchema | 'asking' | 'none' => {
  const [schema, setSchema] = useState<CompiledSchema | 'asking' | 'none'>('asking')
  const [group = '', version = ''] = String(object.jsonData.apiVersion ?? '').split('/')
  const { kind } = object
  const plural = object._class().apiName
  const key = `${object.cluster}/${group}/${version}/${kind}`
  useEffect(() => {
    let isOver = false
    const before = known.get(key)
    const isFresh = before !== undefined && Date.now() - before.at < FRESH
    const loaded = isFresh ? before.schema : load(object.cluster, group, version, kind, plural)
    if (!isFresh) known.set(key, { at: Date.now(), schema: loaded })
    void loaded.then((found) => {
      // Do not cache a failure, because the API server may respond to the next request.
      if (found === undefined && known.get(key)?.schema === loaded) known.delete(key)
      if (!isOver) setSchema(found ?? 'none')
    })
    return () => {
      isOver = true
    }
  }, [key])
  return schema
}
