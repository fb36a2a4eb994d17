import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

/**
 * Paths below which test code may write out whole Kubernetes objects, each with the reason. Paths of a provider are listed in its
 * package.json.
 */
const permitted: Readonly<Record<string, string>> = {
  'packages/apis/src/legacy/': 'manifests before and after the renaming of their keys',
  'tests/benchmarks/': 'what a bench measures depends on every field of its objects',
  'packages/controllers/src/controller-api/nothing-reported.test.ts': 'an object with as little as possible',
  'packages/controllers/src/testing/': 'objects as users and controllers create them',
  'packages/dashboard/plugin/': 'its own toolchain, without this workspace',
  'providers/contract/src/testing/': 'NodeClaims before their launch, without an instance type',
  'providers/example/': 'to be copied as a whole',
  'providers/kwok/src/testing/': 'Nodes that the provider did not make, field by field',
  'packages/runtime/src/informers/mirror.test.ts': 'a projection, compared field by field',
  'packages/sandbox/src/http/http.test.ts': 'an expected response',
  'packages/sandbox/src/pod-admission.test.ts': 'a pod as its author writes it, and each field that is filled in',
  'tools/': 'examples of the rule',
  'tests/integration/browser/': 'what a page shows of each field',
  'tests/integration/conformance/': 'requests, compared with those of a real API server',
  'tests/integration/editor/pool-edits.ts': 'objects as the editor saves them, and pods for them',
  'tests/integration/hostile/': 'objects of a grammar, down to each field',
  'tests/integration/install/': 'requests that permissions decide about',
  'tests/integration/migrate/situations/': 'requests to a real API server, and Nodes as Cluster Autoscaler writes them',
  'tests/integration/plans/': 'objects for a real kube-scheduler',
  'tests/integration/runtime/': 'requests to a real API server',
  'tests/integration/scenarios-check/': 'made from a recorded DaemonSet',
  'tests/integration/story/one-namespace.ts': 'requests to a real API server',
  'tests/integration/surface/': 'every field of the public surface',
  'tests/support/builders/src/': 'the builders themselves',
}

/** Reports whether the path is a provider's benchmark, whose results depend on every field of its objects. */
const isBench = (path: string): boolean => /^providers\/[^/]+\/bench\//.test(path)

/** Reports whether the file is the builder of a provider's node class, or the table of node classes that its CRD accepts or refuses. */
const isOfNodeClass = (path: string): boolean =>
  /^providers\/[^/]+\/src\/testing\/[^/]+-node-class(?:-cases)?\.ts$/.test(path)

const KINDS = '(?:Pod|Node|NodePool|NodeClaim|\\w+NodeClass)'
/** Matches a literal with an API version, a kind and metadata. References to objects have no metadata. */
const wholeObject = new RegExp(
  `\\bapiVersion: [^\\n]*?,\\s*kind: (?:'${KINDS}'|(?:kinds|karpenterKinds)\\.${KINDS}\\.kind),\\s*(?:metadata\\b|\\.\\.\\.)`,
  'g',
)

/** Returns one line for each whole pod, node, NodePool, NodeClaim or node class that test code writes out instead of using a builder. */
export const testObjectProblems = (
  files: readonly SourceFile[],
  ofProviders: Readonly<Record<string, string>> = {},
): readonly string[] =>
  files
    .filter(({ path }) => (isTest(path) || /^tests\//.test(path)) && !isBench(path) && !isOfNodeClass(path))
    .filter(({ path }) => !Object.keys({ ...permitted, ...ofProviders }).some((each) => path.startsWith(each)))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(wholeObject)].map(
        (match) =>
          `${path}:${lineAt(code, match.index)} an object of a test comes from a builder: of @kerf/testing, or of the provider's testing folder`,
      )
    })
