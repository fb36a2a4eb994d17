import { serveSharedControlPlane } from './shared-server.ts'

/** Vitest calls this before the first test file; the returned function runs after the last. */
export default async (): Promise<() => Promise<void>> => {
  const shared = await serveSharedControlPlane()
  process.env['KERF_TEST_CONTROL_PLANE'] = shared.path
  return () => shared.close()
}
