import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

/** Test code below these paths may write such objects out, for the reason given. */
const permitted: Readonly<Record<string, string>> = {
  'apis/src/legacy/': 'manifests before and after the renaming of their keys',
  'bench/': 'what a bench measures depends on every field of its objects',
  'controllers/src/controller-api/nothing-reported.test.ts': 'an object with as little as possible',
  'controllers/src/testing/': 'objects as users and controllers create them',
  'headlamp-plugin/': 'its own toolchain, without this workspace',
  'providers/cluster-api/src/testing/p': 'a Node as its kubelet registers it',
  'providers/contract/src/testing/': 'NodeClaims before their launch, without an instance type',
  'providers/example/': 'to be copied as a whole',
  'providers/kwok/src/testing/': 'Nodes that the provider did not make, field by field',
  'runtime/src/informers/mirror.test.ts': 'a projection, compared field by field',
  'sandbox/src/http/http.test.ts': 'an expected response',
  'sandbox/src/pod-admission.test.ts': 'a pod as its author writes it, and each field that is filled in',
  'scripts/': 'examples of the rule',
  'test/aws/node-harness.ts': 'a Node as its kubelet registers it',
  'test/aws/take-over/': 'objects as upstream left them',
  'test/browser/': 'what a page shows of each field',
  'test/cluster-api/': 'a Node as its kubelet registers it, and requests to a real API server',
  'test/conformance/': 'requests, compared with those of a real API server',
  'test/guides/': 'a Node as its kubelet registers it',
  'test/editor/pool-edits.ts': 'objects as the editor saves them, and pods for them',
  'test/hostile/': 'objects of a grammar, down to each field',
  'test/install/': 'requests that permissions decide about',
  'test/migrate/situations/': 'requests to a real API server, and Nodes as Cluster Autoscaler writes them',
  'test/plans/': 'objects for a real kube-scheduler',
  'test/runtime/': 'requests to a real API server',
  'test/scenarios-check/': 'made from a recorded DaemonSet',
  'test/story/one-namespace.ts': 'requests to a real API server',
  'test/surface/': 'every field of the public surface',
  'testing/src/': 'the builders themselves',
}

const KINDS = '(?:Pod|Node|NodePool|NodeClaim|KWOKNodeClass|EC2NodeClass)'
/** A literal that states its API version, its kind and its metadata. References to objects have no metadata. */
const wholeObject = new RegExp(
  `\\bapiVersion: [^\\n]*?,\\s*kind: (?:'${KINDS}'|(?:kinds|karpenterKinds)\\.${KINDS}\\.kind),\\s*(?:metadata\\b|\\.\\.\\.)`,
  'g',
)

/** Whole pods, nodes, NodePools, NodeClaims and node classes that test code writes out instead of building. One line each. */
export const testObjectProblems = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => isTest(path) || /^(bench|sim)\//.test(path))
    .filter(({ path }) => !Object.keys(permitted).some((each) => path.startsWith(each)))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(wholeObject)].map(
        (match) => `${path}:${lineAt(code, match.index)} an object of a test comes from a builder of @kerf/testing`,
      )
    })
