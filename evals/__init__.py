"""How much of what is asked gets truly done: small real tasks, local models, the harness beside a bare loop."""
