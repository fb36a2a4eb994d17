import { better, different, kept, type Quirks, untested } from './quirk.ts'

export const apis: Quirks = {
  'The API': [
    kept(
      'a time in a pool’s template is hashed with the time zone of the process',
      'as a controller in UTC hashes it, so that claims of upstream’s do not drift when Kerf takes over',
      'of a taint with a time is the same as in Go',
    ),
    different(
      'a quantity may have any exponent',
      'one beyond ±400 is refused: it is a typing error, and costs work to read',
      untested('The recorded vectors are those that Go was asked about, and hold no such exponent.'),
    ),
    better(
      'negative amounts are off by one, or overflow, when they are rounded to thousandths',
      'they are rounded away from zero, as positive ones are',
      untested('The vectors of Go say what Go does; a negative amount means nothing to a scheduler.'),
    ),
    kept(
      '`maxLength` and `pattern` on the values of requirements have no effect',
      'they are left out of the schema; what is accepted is the same',
      untested('There is nothing to test but that the values are accepted, as the table of admission cases does.'),
    ),
    kept(
      '`consolidateAfter` is 0s by default in the newest core, and was required before',
      'as in the newest core',
      untested(
        'Shown by the cases “disruption absent is filled in” of the table of admission cases, whose titles are made as they run.',
      ),
    ),
    different(
      'CEL rules refuse with texts of upstream’s own',
      'the same objects are refused; the texts are ours',
      'lists have a list type, and every rule has a message and compiles',
    ),
  ],
  'Older APIs': [
    different(
      'releases before 1.1 convert v1beta1 objects at the API server, by a webhook',
      'v1 alone is served; `kerf migrate manifests` converts files, and `--legacy-apis` serves v1alpha5 from objects of its own',
      'v1beta1: moved fields, and one class for each kubelet configuration',
      'is converted to a NodePool and its node class, and reports it',
    ),
    better(
      'a ConfigMap of the older releases is read by nobody any more, and says nothing',
      'its settings are translated to the current ones, and those that cannot be are reported with a remedy',
      'karpenter-global-settings: settings get their new names, the default profile goes into the classes',
    ),
    different(
      'a Provisioner is the object that is kept',
      'a NodePool is kept in sync with it, and an edit of the NodePool is undone',
      'is followed when it changes, and an edit of its converted objects is reverted',
    ),
  ],
}
